import SimpleNetworkingFeatureSupport

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
        let series = RepeatedRequest(of: request, on: client)
        // Set to nil at the end, to release it.
        var next: (() async throws -> ServerSentEvent?)? = connect(series.current, at: position)
        var failures = 0
        return {
            defer { if next == nil { series.end() } }
            while let take = next {
                series.begin()
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
                    invitation = error.retryDelay
                } catch {
                    next = nil
                    throw error
                }
                // Set before the wait, which may be cancelled.
                next = nil
                let delay = max(delay(after: failures, position.retry), min(invitation ?? 0, FieldDelay.longest))
                try await series.advance(after: delay)
                failures += 1
                next = connect(series.current, at: position)
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
        let random = client.configuration.scheduler?.random ?? { .random(in: $0) }
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

    private func isLimit(_ response: SimpleResponse) -> Bool {
        Self.lostStatuses.contains(response.httpStatus) || client.configuration.isSecondaryLimit(response)
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
