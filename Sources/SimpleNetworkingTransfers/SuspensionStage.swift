import SimpleNetworkingFeatureSupport

/// Holds back the parts of a response while its request is suspended.
enum SuspensionFeature: Feature {
    static let defaultValue = false

    static let order = 30

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        guard place == .content, attempt[Self.self], let suspension = attempt.transferSuspension else { return nil }
        return SuspensionStage(suspension: suspension, clock: attempt.clock)
    }
}

extension SimpleRequest {
    /// Has the parts of the response held back while the request is suspended.
    @discardableResult func suspendsParts() -> Self { option(SuspensionFeature.self, true) }
}

/// Lets the parts of responses pass while the request isn't suspended.
///
/// Before it is sent, the request itself waits in `DepartureStage`. The engine itself holds back content that it sends;
/// see `TransportRequest.suspension`.
struct SuspensionStage: Middleware {
    let suspension: Suspension
    let clock: any RequestClock

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        guard request.isTransfer, case .stream(let receive) = request.sink else { return try await next(request) }
        let passage = Passage(suspension, clock, for: request)
        var request = request
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
            /// The time at which the attempt's timeout passes; nil before the first part.
            var end: TimeInterval?
            var hasEnded = false
        }

        private let suspension: Suspension
        private let clock: any RequestClock
        private let timeout: TimeInterval
        private let head: RequestHead
        private let state = Locked(State())

        init(_ suspension: Suspension, _ clock: any RequestClock, for request: TransportRequest) {
            self.suspension = suspension
            self.clock = clock
            timeout = request.timeout
            head = request.head
        }

        /// Waits, but not longer than the attempt's timeout, which the engine notices only between parts.
        ///
        /// The timeout counts from the first part, because the request may have waited for its turn before.
        func wait() async throws {
            let latest = clock.now + timeout
            let end = state.withLock { state in
                let end = state.end ?? latest
                state.end = end
                return end
            }
            while let resumption = suspension.nextResumption() {
                guard keep(resumption) else {
                    suspension.forget(resumption)
                    throw CancellationError()
                }
                let (timeout, head) = (timeout, head)
                let cancelAlarm = clock.schedule(after: max(end - clock.now, 0), for: .timeout) {
                    resumption.finish(.failure(SimpleNetworkingError.timedOut(.attempt(timeout), head)))
                }
                defer { cancelAlarm() }
                do { try await resumption.value() } catch {
                    suspension.forget(resumption)
                    throw error
                }
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
