import SimpleNetworkingSupport

/// Observes all events of a client's requests, for metrics and reports.
///
/// ```swift
/// struct Failures: EventMonitor {
///     func observe(_ event: RequestEvent, of request: ObservedRequest) {
///         if case .ended(.failure(let error)) = event.kind { count(error, request.tags["id"]) }
///     }
/// }
/// let api = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [Failures()] }
/// ```
///
/// A monitor can't change a request. The request waits while the monitor runs.
public protocol EventMonitor: Sendable {
    /// Receives an event as it happens.
    ///
    /// The client calls this method on any thread, and reports the events of one request in order. The client reports a
    /// handler event after the handler has returned. The client reports the first events during the call that executes
    /// the request, so don't acquire a lock that the code executing the request may hold. Events contain secrets, such
    /// as the header fields of a `RequestHead`, but their descriptions hide the secrets.
    func observe(_ event: RequestEvent, of request: ObservedRequest)
}

/// Identifies the request to which an event belongs.
public struct ObservedRequest: Sendable, Described {
    /// A number that is unique within the process, and the same for all attempts, redirects and follow-ups of a request.
    public let number: Int
    /// The method, and the path or URL as given, with secrets hidden.
    package let shownText: String
    /// The tags that were set with `tag(_:_:)`.
    public let tags: [String: String]
    var options = Options()
    /// The file in which the request was created, as `Module/File.swift`.
    public let fileID: String
    /// The source line on which the request was created.
    public let line: Int
    /// The number of this execution of the request, starting at 1.
    package internal(set) var execution: Int

    /// The value of an option, as the request or its client sets it; the option's default value if neither does.
    public subscript<Key: OptionKey>(key: Key.Type) -> Key.Value { options[key] }
}

/// Passes a request's events to its client's logger and monitors.
final class EventWatcher: Sendable {
    private let request: ObservedRequest
    private let logger: RequestLogger
    private let monitors: [any EventMonitor]
    private let memory: SecretMemory

    init(
        _ request: ObservedRequest,
        _ logger: RequestLogger,
        _ monitors: [any EventMonitor],
        hiding memory: SecretMemory
    ) {
        self.request = request
        self.logger = logger
        self.monitors = monitors
        self.memory = memory
    }

    /// Returns the same watcher for another execution of the request.
    func watching(execution: Int) -> EventWatcher {
        var request = request
        request.execution = execution
        return EventWatcher(request, logger, monitors, hiding: memory)
    }

    func see(_ event: RequestEvent) {
        let level: LogLevel? =
            switch event.kind {
            // These are logged as an error and a warning where they occur, observed or not.
            case .unhandled, .ignored: nil
            case .handler: .debug
            default: .info
            }
        if let level { logger.log(level, memory.hide(in: line(for: event.kind))) }
        for monitor in monitors { monitor.observe(event, of: request) }
    }

    private func line(for event: RequestEvent.Kind) -> String {
        let isFirst = if case .sent(_, attempt: 1) = event { true } else { false }
        return "#\(request.number) \(event)" + (isFirst ? " (made at \(request.fileID):\(request.line))" : "")
    }

    func see(_ message: WireMessage) {
        logger.log(.debug, "#\(request.number) \(message.text(limit: logger.contentLimit, hiding: memory))")
    }
}
