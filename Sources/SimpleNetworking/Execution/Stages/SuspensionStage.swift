/// Holds back the parts of a response while the request is suspended.
///
/// The engine itself holds back content that it sends; see `TransportRequest.suspension`.
struct SuspensionStage: Middleware {
    let suspension: Suspension
    let clock: any RequestClock

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var request = request
        request.suspension = suspension
        guard case .stream(let receive) = request.sink else { return try await next(request) }
        let passage = Passage(suspension, clock, for: request)
        request.sink = .stream { part in
            try await passage.wait()
            try await receive(part)
        }
        // A transport may wait in a task of its own, which nothing else ends.
        defer { passage.end() }
        return try await next(request)
    }

    /// Lets the parts of one response pass while the request isn't suspended.
    private final class Passage: Sendable {
        private struct State {
            var waiting: FirstResult<Void>?
            var hasEnded = false
        }

        private let suspension: Suspension
        private let clock: any RequestClock
        private let timeout: TimeInterval
        private let limit: TimeInterval
        private let head: RequestHead
        private let state = Locked(State())

        init(_ suspension: Suspension, _ clock: any RequestClock, for request: TransportRequest) {
            self.suspension = suspension
            self.clock = clock
            timeout = request.timeout
            limit = clock.now + request.timeout
            head = request.head
        }

        /// Waits, but not longer than the attempt's timeout, which the engine notices only between parts.
        func wait() async throws {
            while let resumption = suspension.nextResumption() {
                guard keep(resumption) else { throw CancellationError() }
                let (timeout, head) = (timeout, head)
                let cancelAlarm = clock.schedule(after: max(limit - clock.now, 0), for: .timeout) {
                    resumption.finish(.failure(SimpleNetworkingError.timedOut(.attempt(timeout), head)))
                }
                defer { cancelAlarm() }
                try await resumption.value()
            }
        }

        /// Returns false if the transfer has ended.
        private func keep(_ resumption: FirstResult<Void>) -> Bool {
            state.withLock { state in
                state.waiting = resumption
                return !state.hasEnded
            }
        }

        func end() {
            let waiting = state.withLock { state in
                state.hasEnded = true
                return state.waiting.take()
            }
            waiting?.finish(.failure(CancellationError()))
        }
    }
}
