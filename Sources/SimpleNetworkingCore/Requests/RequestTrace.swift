import SimpleNetworkingSupport

/// Records a request's execution: its attempts, handlers, waits, redirects and outcome.
public struct RequestTrace: Sendable {
    /// The request's method and path, with secrets hidden.
    public let request: String
    /// The events, in order.
    public let events: [RequestEvent]
    let memory: SecretMemory?

    /// The number of attempts that were sent, not counting redirects.
    public var attempts: Int {
        events.compactMap { if case .sent(_, let attempt) = $0.kind { attempt } else { nil } }.max() ?? 0
    }

    /// The handlers that ran, in order.
    public var handlers: [HandlerRun] { events.compactMap { if case .handler(let run) = $0.kind { run } else { nil } } }

    /// The accepted status or the final error, or nil while the request is running.
    public var end: Result<Int, SimpleNetworkingError>? {
        for event in events.reversed() { if case .ended(let ending) = event.kind { return ending } }
        return nil
    }
}

extension RequestTrace: Described {
    /// The request, and one line per event with the milliseconds since the start.
    package var shownText: String {
        let text = ([request] + events.map(\.description)).joined(separator: "\n")
        return memory?.hide(in: text) ?? text
    }
}
