/// Tells a client's logger and its monitors what happens to one request; there is none where nobody listens.
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
        self.memory = memory
        self.request = request
        self.logger = logger
        self.monitors = monitors
    }

    /// Whether what goes over the wire is of interest.
    var isDetailed: Bool { logger.level >= .debug }

    func see(_ event: RequestEvent) {
        // These are logged as an error and as a warning by whoever finds them out, whether they are watched or not.
        switch event.kind {
        case .unhandled, .ignored: break
        case .handler: log(.debug, "#\(request.number) \(event.kind)")
        case .sent(_, attempt: 1):
            log(.info, "#\(request.number) \(event.kind) (made at \(request.fileID):\(request.line))")
        default: log(.info, "#\(request.number) \(event.kind)")
        }
        for monitor in monitors { monitor.observe(event, of: request) }
    }

    /// Writes what goes over the wire, content and all.
    func see(_ message: WireMessage) {
        log(.debug, "#\(request.number) \(message.text(limit: logger.contentLimit))")
    }

    private func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        logger.log(level, memory.hide(in: message()))
    }

    /// Gives a number to a request that is watched for the first time.
    static func nextNumber() -> Int {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    private static let lastNumber = Locked(0)
}
