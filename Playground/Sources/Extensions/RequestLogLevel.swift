import SimpleNetworking

/// Logs single requests in more detail than their client does.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") { $0.eventMonitors.append(RequestLog()) }
/// api.post("/order") { $0.body(order).logLevel(.debug) }
/// ```
public struct RequestLog: EventMonitor {
    private let write: @Sendable (LogLevel, String) -> Void

    /// Creates a log; by default, it writes to standard output.
    public init(write: @escaping @Sendable (LogLevel, String) -> Void = { print("\($0): \($1)") }) {
        self.write = write
    }

    /// Writes an event if the request asks for its level.
    public func observe(_ event: RequestEvent, of request: ObservedRequest) {
        let level: LogLevel =
            switch event.kind {
            case .handler: .debug
            case .unhandled: .error
            case .ignored: .warning
            default: .info
            }
        if request[LogLevelOfRequest.self] >= level { write(level, "#\(request.number) \(event.kind)") }
    }
}

private enum LogLevelOfRequest: OptionKey {
    static let defaultValue = LogLevel.none
}

extension SimpleRequest {
    /// Sets the most detailed level at which ``RequestLog`` logs this request; the default is `none`.
    @discardableResult public func logLevel(_ level: LogLevel) -> Self { option(LogLevelOfRequest.self, level) }
}
