import SimpleNetworkingFeatureSupport

/// Limits the number and the rate of the requests that a client sends.
///
/// By default, there are no limits.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") {
///     $0.traffic.inFlight = 6
///     $0.traffic.rate = .perSecond(10, burst: 20)
///     $0.traffic.respectsRateLimits = true
/// }
/// ```
///
/// A request takes a slot just before it is sent. It is signed after that, with the credential of that moment. The request
/// releases the slot when its response has arrived or, for a stream, when the head of the response has arrived. A
/// cancelled request releases its slot immediately, even if the server still works on it. A request holds no slot while
/// it waits for a retry, a refreshed credential or a status handler. Cached responses don't need a slot. Requests made by
/// a refresh or by a status handler wait for no slot, but as long as the server wants. Time spent waiting for a slot
/// counts against the deadline, but not against the timeout.
public struct TrafficRules: Sendable, Hashable {
    /// The maximum number of requests in flight at once; the default is nil, which means no limit.
    public var inFlight: Int?

    /// The maximum number of requests in flight to one origin (scheme, host and port).
    ///
    /// The default is nil, which means no limit.
    public var inFlightPerOrigin: Int?

    /// The maximum number of waiting requests; the default is 10,000.
    ///
    /// When this number is reached, additional requests fail immediately with `.queueFull`.
    public var maxWaiting = 10_000

    /// The maximum rate at which requests are sent; the default is nil, which means no limit.
    public var rate: RequestRate?

    /// Whether requests wait when the server limits their rate; the default is false.
    ///
    /// A server limits the rate with status 429, with status 503 or 403 and `Retry-After` (RFC 9110 §10.2.3), with the
    /// fields `RateLimit` and `RateLimit-Policy` of the IETF's draft, or with fields such as `X-RateLimit-Remaining` and
    /// `X-RateLimit-Reset`. All requests to the same origin with the same account wait. After the wait, one request is
    /// sent, and the others follow after its response. A retry policy treats a 403 with `Retry-After` as a 429.
    public var respectsRateLimits = false

    /// The maximum number of seconds that requests wait for a server; the default is 60.
    ///
    /// After that time, one request is sent as a probe.
    public var maxServerWait: TimeInterval = 60

    /// Whether equal requests share one transfer; the default is false.
    ///
    /// If a transfer's response is kept in memory, all GET and HEAD requests with the same URL, header fields, user,
    /// connect timeout and idle timeout share the transfer while it is in flight. Each request has its own handlers,
    /// decoding, timeout and cancellation. The transfer is cancelled when the last of its requests is cancelled. To
    /// override this setting for one request, use `coalesced(_:)`.
    public var coalesces = false

    /// Whether requests wait, instead of failing, while no connection can be made; the default is false.
    ///
    /// A connection can't be made if there is no network, no route, no address for the host, or no server that accepts
    /// connections. The client tries again after delays that grow to ten seconds. The client stops trying at the
    /// request's deadline, or after 60 s if the request has no deadline. All attempts share this time, until a
    /// connection is made; a retry policy doesn't retry a request for which the time is over.
    public var waitsForConnectivity = false

    /// Creates rules without limits.
    public init() {}

    /// Whether no request ever has to wait for its turn.
    var areOff: Bool { inFlight == nil && inFlightPerOrigin == nil && rate == nil && !respectsRateLimits }
}

/// Limits the average rate at which requests are sent, and the size of a burst after a pause.
public struct RequestRate: Sendable, Hashable {
    /// The average number of requests per second.
    let perSecond: Double
    /// The maximum number of requests that may be sent at once after a pause.
    let burst: Double

    /// Returns a limit of `count` requests per second, on average.
    ///
    /// After a pause, up to `burst` requests are sent at once. The default is 1.
    public static func perSecond(_ count: Double, burst: Int = 1) -> RequestRate {
        RequestRate(perSecond: max(count, 1e-9), burst: Double(max(burst, 1)))
    }

    /// Returns a limit of `count` requests per minute, on average.
    ///
    /// After a pause, up to `burst` requests are sent at once. The default is 1.
    public static func perMinute(_ count: Double, burst: Int = 1) -> RequestRate {
        perSecond(count / 60, burst: burst)
    }
}

/// Counts the requests that a rate still allows, as a token bucket.
struct TokenBucket {
    private let rate: RequestRate
    private var tokens: Double
    private var time: TimeInterval

    init(_ rate: RequestRate, at now: TimeInterval) {
        self.rate = rate
        tokens = rate.burst
        time = now
    }

    /// Takes a token.
    ///
    /// Returns false if no token is available.
    ///
    /// The time passed in must not decrease.
    mutating func take(at now: TimeInterval) -> Bool {
        tokens = min(rate.burst, tokens + (now - time) * rate.perSecond)
        time = now
        // Times are rounded, so a token that is due now counts.
        guard tokens >= 1 - 1e-6 else { return false }
        tokens = max(tokens - 1, 0)
        return true
    }

    /// Puts back an unused token.
    mutating func giveBack() { tokens = min(rate.burst, tokens + 1) }

    /// The time when the next token is available.
    var nextToken: TimeInterval { time + max(1 - tokens, 0) / rate.perSecond }
}
