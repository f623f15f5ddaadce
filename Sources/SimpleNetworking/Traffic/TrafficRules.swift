/// Says how many requests a client sends, and how fast; by default as many and as fast as they come.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") {
///     $0.traffic.inFlight = 6
///     $0.traffic.rate = .perSecond(10, burst: 20)
///     $0.traffic.heedsServer = true
/// }
/// ```
///
/// A request takes its place when it is about to be sent, and gives it back when its response has come: it has none
/// while it waits for a retry, a refreshed credential or a status handler, and a response from the cache needs none.
/// Requests made by a refresh or by a status handler don't wait for a place. Waiting counts against the deadline, not
/// against the timeout.
public struct TrafficRules: Sendable, Hashable {
    /// The maximum number of requests in flight at once; the default is nil, for no limit.
    public var inFlight: Int?

    /// How many of them may be in flight to one origin, that is, scheme, host and port; the default is nil: any number.
    public var inFlightPerOrigin: Int?

    /// How many requests may wait; the default is 10,000.
    ///
    /// A further one ends at once, with the error `.queueFull`.
    public var maxWaiting = 10_000

    /// How fast requests are sent; the default is nil: as fast as they come.
    public var rate: RequestRate?

    /// Whether requests wait when the server limits their rate; the default is false.
    ///
    /// Its word is a 429 or 503 with `Retry-After` (RFC 9110 §10.2.3), the fields `RateLimit` and `RateLimit-Policy` of the IETF's
    /// draft, or `X-RateLimit-Remaining` and `X-RateLimit-Reset`. All requests of the same origin and account wait. Then one is
    /// sent, and the others follow when its response has come.
    public var heedsServer = false

    /// How many seconds requests wait at most when the server says so, before one is sent to see; the default is 60.
    public var maxServerWait: TimeInterval = 60

    /// Whether requests that are equal share one transfer; the default is false.
    ///
    /// Only GET and HEAD requests whose response is kept in memory do, and only while that is on its way: with the same
    /// URL, header fields and account. Each keeps its handlers, decoding, timeout and cancellation; the transfer is
    /// cancelled with the last of them. To decide for one request, use ``SimpleRequest/coalesced(_:)``.
    public var coalesces = false

    /// Whether a request waits where no connection can be made, instead of failing; the default is false.
    ///
    /// There may be no network, no route, no address of the host, or no server that accepts connections. The client tries again
    /// after a growing delay of up to ten seconds, until the request's deadline; without one, for 60 s.
    public var waitsForConnectivity = false

    /// Makes rules that limit nothing.
    public init() {}

    /// Whether no request ever waits.
    var areOff: Bool { inFlight == nil && inFlightPerOrigin == nil && rate == nil && !heedsServer }
}

/// Limits how fast requests are sent: a number in a time, and a burst after a pause.
public struct RequestRate: Sendable, Hashable {
    /// How many requests there may be in a second, on average.
    let perSecond: Double
    /// How many may be sent at once after a pause.
    let burst: Double

    /// Limits requests to this number a second, on average.
    ///
    /// After a pause, up to `burst` are sent at once; the default is one.
    public static func perSecond(_ count: Double, burst: Int = 1) -> RequestRate {
        RequestRate(perSecond: max(count, 1e-9), burst: Double(max(burst, 1)))
    }

    /// Sends a number of requests a minute, on average.
    ///
    /// After a pause, up to `burst` are sent at once; the default is one.
    public static func perMinute(_ count: Double, burst: Int = 1) -> RequestRate {
        perSecond(count / 60, burst: burst)
    }
}

/// The requests that a rate still allows: a token bucket.
struct TokenBucket {
    private let rate: RequestRate
    private var tokens: Double
    private var time: TimeInterval

    init(_ rate: RequestRate, at now: TimeInterval) {
        self.rate = rate
        tokens = rate.burst
        time = now
    }

    /// Takes a token; returns false if there is none.
    mutating func take(at now: TimeInterval) -> Bool {
        // Calls of several threads may overtake each other.
        let now = max(now, time)
        tokens = min(rate.burst, tokens + (now - time) * rate.perSecond)
        time = now
        // Times are rounded: a token that is due now is there.
        guard tokens >= 1 - 1e-6 else { return false }
        tokens = max(tokens - 1, 0)
        return true
    }

    /// Puts back a token that was not used.
    mutating func giveBack() { tokens = min(rate.burst, tokens + 1) }

    /// When the next token is there.
    var nextToken: TimeInterval { time + max(1 - tokens, 0) / rate.perSecond }
}
