import SimpleNetworkingFeatureSupport

/// Stops sending requests to a server that fails too often, and probes the server after a pause.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [CircuitBreaker()] }
/// ```
///
/// The breaker counts requests separately for each origin. By default, once half of at least 20 requests within 30 s
/// have failed, all requests fail immediately with a ``Refusal`` for the next 5 s. Then one request probes the server.
/// If that request fails, the pause begins again; otherwise, all requests are sent.
///
/// Statuses 500...599, attempt timeouts and network failures count as failures. Statuses 400...499, cancellations,
/// refusals and errors that your code throws don't count as failures. The breaker counts what is sent: each redirect counts
/// toward its own origin, equal requests that share a transfer count once, and cached responses don't count.
public final class CircuitBreaker: DepartureMiddleware {
    /// Reports that a request wasn't sent because too many earlier requests failed.
    ///
    /// Handlers receive the refusal as `.failed`.
    public struct Refusal: Error, Sendable {
        /// The origin whose requests fail.
        public let origin: Origin
        /// The maximum number of seconds until the next request is sent to the origin.
        public let seconds: TimeInterval
    }

    private let openTime: TimeInterval
    private let circuits: Locked<Circuits>

    /// Creates a breaker, for one client or for several clients that call the same servers.
    ///
    /// - Parameters:
    ///   - failureShare: The share of failures at which the breaker opens. The default is 0.5.
    ///   - minimumCalls: The number of requests that must end within the window before the breaker may open. The
    ///     default is 20.
    ///   - window: The number of seconds over which requests are counted. The default is 30.
    ///   - openTime: The number of seconds for which the open breaker refuses all requests. The default is 5.
    public init(
        failureShare: Double = 0.5,
        minimumCalls: Int = 20,
        window: TimeInterval = 30,
        openTime: TimeInterval = 5
    ) {
        let rules = Circuit.Rules(
            failureShare: failureShare,
            minimumCalls: minimumCalls,
            window: window,
            openTime: openTime
        )
        self.openTime = openTime
        circuits = Locked(Circuits(rules))
    }

    /// Passes the request on, unless too many requests to its origin have failed.
    ///
    /// - Throws: ``Refusal``, or the error that explains why there is no response.
    public func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard let origin = Origin(request.url) else { return try await next(request) }
        let permit = try admit(request, to: origin)
        let isSettled = Locked(false)
        let settle: @Sendable (Circuit.Outcome) -> Void = { outcome in
            if !isSettled.exchange(true) { self.settle(permit, outcome, of: request, to: origin) }
        }
        var watched = request
        // Others wait for a probe, whose content may never end.
        if permit.isProbe, case .stream(let receive) = request.sink {
            watched.sink = .stream { part in
                if case .head = part { settle(.success) }
                try await receive(part)
            }
        }
        do {
            let response = try await next(watched)
            settle((500...599).contains(response.httpStatus) ? .failure : .success)
            return response
        } catch {
            settle(Circuit.Outcome(error))
            throw error
        }
    }

    private func admit(_ request: TransportRequest, to origin: Origin) throws(Refusal) -> Circuit.Permit {
        let now = request.clientClock.now
        switch circuits.withLock({ $0.admit(to: origin, at: now) }) {
        case .passed(let permit):
            if permit.isProbe { request.report?(.note(CircuitStep.probed)) }
            return permit
        case .refused(let until):
            request.report?(.note(CircuitStep.refused(seconds: until - now)))
            throw Refusal(origin: origin, seconds: until - now)
        }
    }

    private func settle(
        _ permit: Circuit.Permit,
        _ outcome: Circuit.Outcome,
        of request: TransportRequest,
        to origin: Origin
    ) {
        let now = request.clientClock.now
        let change = circuits.withLock { $0.settle(permit, outcome, to: origin, at: now) }
        switch change {
        case .none: break
        case .opened: request.report?(.note(CircuitStep.opened(seconds: openTime)))
        case .closed: request.report?(.note(CircuitStep.closed))
        }
    }
}

extension Circuit.Outcome {
    /// Creates the outcome that an error indicates.
    init(_ error: any Error) {
        if let failure = NetworkFailure(in: error) {
            self.init(failure)
            return
        }
        switch error {
        case SimpleNetworkingError.timedOut(.deadline, _): self = .uncounted
        case SimpleNetworkingError.timedOut: self = .failure
        default: self = .uncounted
        }
    }

    /// Creates the outcome `.uncounted` if no server was contacted, because there is no network or no readable body.
    private init(_ failure: NetworkFailure) {
        self = [.offline, .unreadableBody].contains(failure.kind) ? .uncounted : .failure
    }
}

extension CircuitBreaker.Refusal: UnsentError {
    package var retryDelay: TimeInterval? { seconds }
}

extension CircuitBreaker.Refusal: DescribedError {
    /// The origin whose requests fail, and the time until the next probe.
    package var shownText: String {
        let rounded = (seconds * 1000).rounded() / 1000
        return "\(origin) failed too often, so nothing is sent to it for another \(rounded.inSeconds)"
    }
}

extension TimeInterval {
    /// The number of seconds, such as `5 s` or `0.5 s`.
    fileprivate var inSeconds: String { self == rounded() && abs(self) < 1e9 ? "\(Int(self)) s" : "\(self) s" }
}
