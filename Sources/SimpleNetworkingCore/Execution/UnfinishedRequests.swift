import SimpleNetworkingSupport

/// Counts the requests with handlers in flight, and warns if the program ends before their handlers have run.
///
/// A tool whose `main` returns right after `get(…)` would otherwise print nothing and succeed.
enum UnfinishedRequests {
    private static let count = Locked(0)
    /// Registers the warning with the first request.
    private static let warning: Void = {
        atexit {
            let count = UnfinishedRequests.count.withLock(\.self)
            guard count > 0 else { return }
            let requests = count == 1 ? "1 request was" : "\(count) requests were"
            let text = "The program ended while \(requests) in flight; handlers may not have run."
            RequestLogger.system.log(.warning, text + " Wait with await request.ended(), or use send(_:).")
        }
    }()

    fileprivate static func add(_ number: Int) {
        _ = warning
        count.withLock { $0 += number }
    }
}

extension Execution.State {
    /// Counts the request, unless a caller awaits it, or its client logs nothing or has another transport, such as a stub.
    mutating func beginCounting(with settings: SimpleNetworking.Settings) {
        let (transport, logger) = (settings.configuration.transport, settings.configuration.logger)
        guard !closing.isCounted, closing.awaitingCaller == nil, transport == nil, logger.level >= .warning,
            // It may have ended meanwhile.
            machine.isActive, !machine.queue.handlers.isEmpty
        else { return }
        closing.isCounted = true
        UnfinishedRequests.add(1)
    }

    /// Notes that the request has its outcome.
    mutating func endCounting() {
        if closing.isCounted { UnfinishedRequests.add(-1) }
        closing.isCounted = false
    }
}
