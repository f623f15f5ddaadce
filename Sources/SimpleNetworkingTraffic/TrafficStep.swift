import SimpleNetworkingFeatureSupport

/// Describes how a request waited, shared a transfer, or was sent or retried otherwise than alone and at once.
///
/// ```swift
/// if case .note(let step as TrafficStep) = event.kind { count(step) }
/// ```
public enum TrafficStep: RequestNote, Hashable {
    /// The attempt began to wait until it could be sent.
    case waits(WaitReason)
    /// The attempt continued after it had waited this many seconds.
    case resumed(after: TimeInterval)
    /// The attempt shares the transfer of an equal request that was sent earlier.
    case joined(RequestHead)
    /// A second, equal request was sent, because no content arrived for this many seconds; see ``Hedging``.
    case hedged(after: TimeInterval)
    /// A retry was refused, because the client's ``RetryAllowance`` was used up.
    case retryRefused

    /// Explains why an attempt waits before it is sent; see ``TrafficRules``.
    public enum WaitReason: Sendable, Hashable {
        /// A limit on requests was reached. The values are the attempt's position and the number of waiting attempts.
        case turn(position: Int, of: Int)
        /// The server accepts no requests for this many seconds.
        case serverLimit(TimeInterval)
        /// No connection can be made.
        case connectivity
    }

    /// The step in one line, for the trace and the log, with secrets hidden.
    public var description: String {
        switch self {
        case .waits(.turn(let position, let count)): "waits for its turn, \(position) of \(count)"
        case .waits(.serverLimit(let seconds)): "waits \(seconds.wholeMilliseconds) ms, as the server wants"
        case .waits(.connectivity): "waits for a connection"
        case .resumed(let seconds): "goes on after \(seconds.wholeMilliseconds) ms"
        case .joined(let head): "joins \(head)"
        case .hedged(let delay): "sent twice: no content for \(delay.wholeMilliseconds) ms"
        case .retryRefused: "no retry: the client's retry allowance is used up"
        }
    }
}

/// Describes what a ``CircuitBreaker`` did for a request.
///
/// ```swift
/// if case .note(let step as CircuitStep) = event.kind { count(step) }
/// ```
public enum CircuitStep: RequestNote, Hashable {
    /// The breaker refused the request, and sends no requests to the same origin for this many seconds.
    case refused(seconds: TimeInterval)
    /// The breaker let the request pass, to determine whether the server has recovered.
    case probed
    /// The breaker opened for this many seconds, because the request failed.
    case opened(seconds: TimeInterval)
    /// The breaker closed, because the request succeeded.
    case closed

    /// The step in one line, for the trace and the log.
    public var description: String {
        switch self {
        case .refused(let seconds): "refused by the circuit breaker for \(seconds.wholeMilliseconds) ms"
        case .probed: "sent to find out whether the server is back"
        case .opened(let seconds): "opened the circuit breaker for \(seconds.wholeMilliseconds) ms"
        case .closed: "closed the circuit breaker"
        }
    }
}
