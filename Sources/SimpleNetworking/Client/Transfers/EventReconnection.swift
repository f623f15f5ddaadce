/// Sends the request of an event stream again whenever the stream ends or its connection is lost.
struct EventReconnection: Sendable {
    let client: SimpleNetworking
    let request: SimpleRequest
    let maxEventSize: Int
    let format: StreamFormat

    /// The delay in seconds if the server doesn't specify one.
    private static let standardDelay: TimeInterval = 3
    private static let longestDelay: TimeInterval = 60
    /// The minimum delay in seconds from which delays after connections without an event grow.
    private static let leastDelay: TimeInterval = 0.25
    private static let lostStatuses: Set<Int> = [429, 500, 502, 503, 504]

    /// Begins an iteration, and returns a closure that waits for the next event.
    func begin() -> () async throws -> ServerSentEvent? {
        let position = EventStreamPosition()
        // All connections belong to one account, and have the place of the stream among the requests that replace others.
        var asked = request.copy()
        var account: AccountOfClient?
        var lineage: Lineage?
        // Set to nil at the end, to release it.
        var next: (() async throws -> ServerSentEvent?)? = connect(asked, at: position)
        var failures = 0
        return {
            defer { if next == nil { lineage = nil } }
            while let take = next {
                let stream = lineage ?? Lineage()
                if lineage == nil { asked.keep(nil, stream) }
                lineage = stream
                var invitation: TimeInterval?
                do {
                    if let event = try await take() {
                        failures = 0
                        return event
                    }
                    if position.isOver {
                        next = nil
                        return nil
                    }
                } catch let error as SimpleNetworkingError where isLost(error) {
                    invitation = self.invitation(of: error)
                } catch {
                    next = nil
                    throw error
                }
                // Set before the wait, which may be cancelled.
                next = nil
                let delay = max(delay(after: failures, position.retry), min(invitation ?? 0, CacheControl.longest))
                try await stream.sleep(delay, on: client.clock)
                failures += 1
                account = asked.account ?? account
                asked = request.copy()
                asked.keep(account, stream)
                next = connect(asked, at: position)
            }
            return nil
        }
    }

    private func connect(
        _ request: SimpleRequest,
        at position: EventStreamPosition
    ) -> () async throws -> ServerSentEvent? {
        let id = position.lastID
        if !id.isEmpty { request.header("Last-Event-ID", id) }
        let bytes = ResponseBytes(client: client, request: request, format: format)
        let open: @Sendable () -> ChunkSource = {
            let source = bytes.open()
            return ChunkSource(
                next: {
                    let chunk = try await source.next()
                    if chunk == nil, source.response()?.httpStatus == 204 { position.end() }
                    return chunk
                },
                response: source.response
            )
        }
        return RequestSequence.events(of: open, maxLength: maxEventSize, from: position).begin()
    }

    private func delay(after failures: Int, _ retry: TimeInterval?) -> TimeInterval {
        let first = retry ?? Self.standardDelay
        // A server may name no time at all; what brings no event must not be asked without a pause.
        let backoff = Backoff.exponential(base: max(first, Self.leastDelay), cap: Self.longestDelay, jitters: false)
        let delay = failures == 0 ? first : max(first, backoff.delay(beforeRetry: failures + 1))
        // Not all clients of a server that was restarted at the same time.
        let random = client.settings.configuration.scheduler?.random ?? { .random(in: $0) }
        return delay + delay / 4 * random(0...1)
    }

    private func isLost(_ error: SimpleNetworkingError) -> Bool {
        switch error {
        case .networkingError: true
        // Its response is the one that refused the credential, and says nothing about the refresh.
        case .authentication: error.isTransient
        default: error.response.map(isLimit) ?? error.isTransient
        }
    }

    /// Returns the number of seconds after which the server, or a circuit breaker, may let the next request pass.
    private func invitation(of error: any Error) -> TimeInterval? {
        switch error {
        case let refusal as CircuitBreaker.Refusal: refusal.seconds
        case SimpleNetworkingError.authentication(let failure): failure.underlying.flatMap(invitation)
        case SimpleNetworkingError.failed(let error, _, nil): invitation(of: error)
        case let error as SimpleNetworkingError: error.response?.headers.retryAfter()
        default: nil
        }
    }

    private func isLimit(_ response: SimpleResponse) -> Bool {
        let status = response.httpStatus
        if Self.lostStatuses.contains(status) { return true }
        return client.configuration.traffic.heedsServer && response.headers.isSecondaryLimit(status: status)
    }
}

/// Records how far an event stream was read, so that the next connection continues there.
final class EventStreamPosition: Sendable {
    private struct State {
        var lastID = ""
        var retry: TimeInterval?
        var isOver = false
    }

    private let state = Locked(State())

    var lastID: String { state.withLock(\.lastID) }
    var retry: TimeInterval? { state.withLock(\.retry) }
    /// Whether the server asked the client not to reconnect.
    var isOver: Bool { state.withLock(\.isOver) }

    func note(_ parser: EventStreamParser) {
        state.withLock { state in
            state.lastID = parser.lastID
            state.retry = parser.retry ?? state.retry
        }
    }

    func end() { state.withLock { $0.isOver = true } }
}
