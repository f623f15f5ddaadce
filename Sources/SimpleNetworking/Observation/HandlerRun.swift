/// Describes one call of a handler.
public struct HandlerRun: Sendable {
    /// Identifies what a handler waits for.
    package enum Kind: Sendable, Equatable {
        /// A response with certain statuses.
        case status(HTTPStatuses)
        /// An attempt without a response.
        case noResponse
        /// A page.
        case page
        /// Success.
        case success
        /// Failure.
        case error
        /// The end, successful or not.
        case completion
        /// The first attempt being sent.
        case start
        /// A further attempt being sent.
        case retry
        /// A redirect being followed.
        case redirect
        /// Bytes of a body being transferred.
        case progress
    }

    /// What the handler waited for, in words: `success`, `error`, `status 401`, ….
    public var condition: String { kind.shownText }

    package let kind: Kind
    /// The file in which it was written, as `Module/File.swift`.
    public var fileID: String { "\(source.fileID)" }
    /// The line in which it was written.
    public var line: Int { Int(source.line) }
    /// The queue or actor on which it ran.
    public var place: String { location.description }
    /// What it returned: true to continue, or for the next page; false if it took the request over, or stops paging.
    ///
    /// Nil for handlers that return nothing.
    public internal(set) var decision: Bool?
    /// What a status handler did with the request, beside returning true or false.
    var handling = Handling.none
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0
    // Not yet text: few traces are ever read.
    let source: (fileID: StaticString, line: UInt)
    let location: HandlerPlace.Name
}

extension HandlerRun: Described {
    /// What the handler waited for, where it was written and ran, and what it decided.
    var shownText: String {
        "handler for \(kind) (\(fileID):\(line)) on \(place)" + (decision.map { " → \($0), \(consequence($0))" } ?? "")
    }

    private func consequence(_ decision: Bool) -> String {
        switch handling {
        case .retried: "retried"
        case .kept where !decision: "takes the request over"
        case .none, .kept: decision ? "continue" : kind == .page ? "no more" : "stop"
        }
    }
}

extension HandlerRun {
    /// What a status handler did with the request while it ran.
    enum Handling {
        case none
        /// It called `retry()`.
        case retried
        /// It kept the request, for example in a closure that retries later.
        case kept
    }
}

extension HandlerRun.Kind: Described {
    /// What the handler waits for, in a word or two.
    var shownText: String {
        switch self {
        case .status(let statuses): "status \(statuses)"
        case .noResponse: "no response"
        case .page: "page"
        case .success: "success"
        case .error: "error"
        case .completion: "completion"
        case .start: "start"
        case .retry: "retry"
        case .redirect: "redirect"
        case .progress: "progress"
        }
    }
}
