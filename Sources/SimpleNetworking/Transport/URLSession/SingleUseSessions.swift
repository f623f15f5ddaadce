#if !canImport(Darwin)
    /// Gives requests that must not be sent twice a session of their own each, with a new connection.
    ///
    /// FoundationNetworking sends what was lost with a kept connection again, without notice.
    final class SingleUseSessions: Sendable {
        private struct Host {
            var running = 0
            var waiting: [@Sendable () -> Void] = []
        }

        private let hosts = Locked([Origin?: Host]())

        /// Lets `start` make and resume a task, as soon as the host has fewer connections than the model would open.
        ///
        /// The task's session has the model's configuration and queue; `delegate` receives its callbacks, except for its
        /// invalidation. This and `start` are called on `queue`.
        func start(
            for host: Origin?,
            like model: URLSession,
            delegate: (any URLSessionDelegate)?,
            on queue: DispatchQueue,
            _ start: @escaping @Sendable (URLSession, ExchangeRouter) -> Void
        ) {
            let configuration = model.configuration
            let begin: @Sendable () -> Void = {
                let router = ExchangeRouter(delegate: delegate) { queue.async { self.end(at: host) } }
                let session = URLSession(
                    configuration: configuration,
                    delegate: router,
                    delegateQueue: model.delegateQueue
                )
                start(session, router)
                session.finishTasksAndInvalidate()
            }
            let limit = configuration.httpMaximumConnectionsPerHost
            let begins = hosts.withLock { hosts in
                // Zero means no limit.
                let begins = limit <= 0 || hosts[host, default: Host()].running < limit
                if begins { hosts[host, default: Host()].running += 1 } else { hosts[host]?.waiting.append(begin) }
                return begins
            }
            if begins { begin() }
        }

        private func end(at host: Origin?) {
            let next: (@Sendable () -> Void)? = hosts.withLock { hosts in
                guard var ended = hosts.removeValue(forKey: host) else { return nil }
                let next = ended.waiting.isEmpty ? nil : ended.waiting.removeFirst()
                if next == nil { ended.running -= 1 }
                if ended.running > 0 { hosts[host] = ended }
                return next
            }
            next?()
        }
    }
#endif
