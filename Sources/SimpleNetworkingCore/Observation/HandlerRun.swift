import SimpleNetworkingSupport

/// Describes one call to a handler.
public struct HandlerRun: Sendable {
    /// Identifies the event for which a handler is registered.
    package enum Kind: Sendable, Equatable {
        /// A response with certain statuses.
        case status(HTTPStatuses)
        /// An attempt that ends without a response.
        case noResponse
        /// Success, for a feature's handler that decides what follows; the text is the condition.
        case followUp(String)
        /// Success.
        case success
        /// Failure.
        case error
        /// The end of the request, successful or not.
        case completion
        /// The start of the first attempt.
        case start
        /// The start of another attempt.
        case retry
        /// A redirect that is followed.
        case redirect
        /// Progress in transferring a body.
        case progress
    }

    /// The event for which the handler was registered, such as `success`, `error` or `status 401`.
    public var condition: String { kind.shownText }

    package let kind: Kind
    /// The source file that contains the handler, as `Module/File.swift`.
    public var fileID: String { "\(source.fileID)" }
    /// The source line on which the handler was added.
    public var line: Int { Int(source.line) }
    /// The queue or actor on which the handler ran.
    public var place: String { location.description }
    /// The value that the handler returned: true to continue, or false.
    ///
    /// False means that a status handler stopped the request or took it over, or that a feature's handler, such as one
    /// for a list, wants no more. The decision is nil for handlers that return no value.
    public internal(set) var decision: Bool?
    /// The action that a status handler took with the request, in addition to returning true or false.
    var handling = Handling.none
    /// The time that the handler took to run, in seconds.
    public internal(set) var duration: TimeInterval = 0
    // Converted to text only on demand, because few traces are ever read.
    let source: (fileID: StaticString, line: UInt)
    let location: HandlerPlace.Name
}

extension HandlerRun: Described {
    /// The handler's event, its source location, the place where it ran, and its decision.
    package var shownText: String {
        "handler for \(kind) (\(fileID):\(line)) on \(place)" + (decision.map { " → \($0), \(consequence($0))" } ?? "")
    }

    private func consequence(_ decision: Bool) -> String {
        switch handling {
        case .retried: "retried"
        case .kept where !decision: "takes the request over"
        case .none, .kept: decision ? "continue" : isOfFollowUp ? "no more" : "stop"
        }
    }

    private var isOfFollowUp: Bool { if case .followUp = kind { true } else { false } }
}

extension HandlerRun {
    /// Describes the action that a status handler took with the request while the handler ran.
    enum Handling {
        case none
        /// The handler called `retry()`.
        case retried
        /// The handler kept the request, for example, in a closure that retries the request later.
        case kept
    }
}

extension HandlerRun.Kind: Described {
    /// The event for which the handler is registered, in one or two words.
    package var shownText: String {
        switch self {
        case .status(let statuses): "status \(statuses)"
        case .noResponse: "no response"
        case .followUp(let name): name
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
