import SimpleNetworkingFeatureSupport

/// Represents a server's statement about further requests.
enum RateLimitHint: Equatable {
    /// No request may be sent for this many seconds.
    case wait(TimeInterval)
    /// This many requests may be sent within this many seconds.
    case remaining(Int, within: TimeInterval)
}

extension RateLimitHint {
    /// Reads the statement from a response; nil if the response contains none.
    ///
    /// `Retry-After` takes precedence (RFC 9110 §10.2.3), followed by the field of the IETF's draft, and then by the
    /// fields that most servers send.
    init?(status: Int, _ headers: HTTPHeaders) {
        let isRefused = [403, 429, 503].contains(status)
        if isRefused, let seconds = headers.retryAfter() {
            self = .wait(seconds)
            return
        }
        let customary = CustomaryLimits(headers)
        switch RateLimitFields(headers)?.hint ?? customary.hint {
        case .remaining(_, let seconds) where status == 429: self = .wait(seconds)
        case let hint?: self = hint
        case nil where status == 429: self = .wait(customary.reset ?? 1)
        case nil: return nil
        }
    }
}

/// A limit on requests: how many may still be sent, and the seconds until it is reset.
struct RequestLimit {
    let remaining: Int
    let seconds: TimeInterval
}

extension [RequestLimit] {
    /// The strictest limit.
    ///
    /// It is the exhausted limit with the latest reset, or else the limit with the fewest remaining requests.
    var hint: RateLimitHint? {
        let empty = filter { $0.remaining == 0 }.max { $0.seconds < $1.seconds }
        let strictest = empty ?? self.min { $0.remaining < $1.remaining }
        return strictest.map { .remaining($0.remaining, within: $0.seconds) }
    }
}
