/// Describes one handler call.
public struct HandlerRun: Sendable {
    /// Identifies what a handler is registered for.
    package enum Kind: Sendable, Equatable {
        /// A response with certain statuses.
        case status(HTTPStatuses)
        /// An attempt that ends without a response.
        case noResponse
        /// A page.
        case page
        /// Success.
        case success
        /// Failure.
        case error
        /// The end of the request, successful or not.
        case completion
        /// The start of the first attempt.
        case start
        /// The start of a further attempt.
        case retry
        /// A redirect that is followed.
        case redirect
        /// Progress in transferring a body.
        case progress
    }

    /// What the handler was registered for: `success`, `error`, `status 401`, ….
    public var condition: String { kind.shownText }

    package let kind: Kind
    /// The file in which the handler was written, as `Module/File.swift`.
    public var fileID: String { "\(source.fileID)" }
    /// The line in which the handler was written.
    public var line: Int { Int(source.line) }
    /// The queue or actor on which the handler ran.
    public var place: String { location.description }
    /// The handler's decision, which is true to continue or to request the next page, and false otherwise.
    ///
    /// With false, a status handler took the request over, and a page handler stopped paging. The value is nil for
    /// handlers that return nothing.
    public internal(set) var decision: Bool?
    /// What a status handler did with the request, besides returning true or false.
    var handling = Handling.none
    /// How long the handler ran, in seconds.
    public internal(set) var duration: TimeInterval = 0
    // Converted to text only on demand, because few traces are ever read.
    let source: (fileID: StaticString, line: UInt)
    let location: HandlerPlace.Name
}

extension HandlerRun: Described {
    /// What the handler was registered for, where it was written and ran, and what it decided.
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
        /// It kept the request, for example in a closure that retries it later.
        case kept
    }
}

extension HandlerRun.Kind: Described {
    /// What the handler is registered for, in a word or two.
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
