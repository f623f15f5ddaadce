import SimpleNetworkingSupport

/// Decides, before any handler runs, whether a failed attempt is retried, and after what delay.
///
/// By default, only idempotent requests and requests with an `Idempotency-Key` are retried.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first.
    public var attempts: Int
    /// The statuses that are retried; the default is 408, 429, 500, 502, 503 and 504.
    ///
    /// A module may take other responses for a 429, such as a 403 with `Retry-After`.
    public var statuses: HTTPStatuses = [408, 429, 500, 502, 503, 504]
    /// The delays before retries if the server doesn't specify a delay.
    ///
    /// The default delay grows from 0.5 s to 30 s, with jitter.
    public var backoff: Backoff
    /// The maximum `Retry-After` delay, in seconds.
    ///
    /// A date in `Retry-After` is relative to the server's clock, which the response's `Date` tells. If the server asks for a longer delay, the request isn't retried.
    ///
    /// The default is 60.
    public var maxRetryAfter: TimeInterval = 60
    /// Whether requests whose method isn't idempotent, such as `POST` and `PATCH`, are also retried.
    ///
    /// Such requests might take effect twice. The default is false.
    public var repeatsAnyMethod = false

    /// Whether attempts that received no response (for example, because the connection was lost) are also retried.
    ///
    /// The default is true.
    public var retriesMissingResponses = true

    /// Whether only responses with a `Retry-After` are retried.
    package var requiresRetryAfter = false

    /// Creates a policy with up to `attempts` attempts.
    ///
    /// The default delays grow from 0.5 s to 30 s, with jitter.
    public init(attempts: Int, backoff: Backoff = .exponential()) {
        self.attempts = attempts
        self.backoff = backoff
    }

    /// A policy that never retries.
    public static let never = RetryPolicy(attempts: 1)

    /// Returns the seconds until the next attempt, or nil if the request isn't retried.
    ///
    /// Attempts are counted from 1. What `isLimit` returns true for counts as a 429.
    func delay(
        afterAttempt attempt: Int,
        of request: RequestHead,
        result: AttemptResult,
        failed: (status: Int, headers: HTTPHeaders)? = nil,
        isLimit: (_ status: Int, _ headers: HTTPHeaders) -> Bool = { _, _ in false },
        now: Date = Date(),
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> TimeInterval? {
        guard attempt < attempts, repeatsAnyMethod || request.isRepeatable else { return nil }
        if result.response == nil, requiresRetryAfter || !retriesMissingResponses { return nil }
        if let response = result.response {
            let status = response.httpStatus
            guard statuses.contains(status) || statuses.contains(429) && isLimit(status, response.headers) else {
                return nil
            }
            if requiresRetryAfter, response.headers.retryAfter(now: now) == nil { return nil }
        } else if let error = result.error, !Self.isTransient(error) {
            return nil
        }
        // What the server asks for counts even if its content has failed.
        let asked = failed.flatMap { statuses.contains($0.status) ? $0.headers : nil }
        return delay(beforeRetry: attempt, after: result.response?.headers ?? asked, now: now, random: random)
    }

    /// Returns the seconds before a retry, as the response or else the backoff specifies; nil if the delay is too long.
    func delay(
        beforeRetry retry: Int,
        after headers: HTTPHeaders?,
        now: Date = Date(),
        random: (ClosedRange<Double>) -> Double
    ) -> TimeInterval? {
        guard let asked = headers?.retryAfter(now: now) else {
            return backoff.delay(beforeRetry: retry, random: random)
        }
        return asked <= maxRetryAfter ? asked : nil
    }

    /// Returns whether an attempt that received no response may succeed later.
    ///
    /// A refresh that failed was no attempt of the request: it is shared, and the refresh decides on its retries.
    static func isTransient(_ error: SimpleNetworkingError) -> Bool { error.hasNoResponse && error.isTransient }
}

@available(*, unavailable, message: "write .never")
extension RetryPolicy: ExpressibleByNilLiteral {
    /// Unavailable: the policy without retries is `.never`.
    public init(nilLiteral: ()) { self = .never }
}

/// Sets the delay before each retry.
public struct Backoff: Sendable, Hashable {
    let base: TimeInterval
    let factor: Double
    let cap: TimeInterval
    let jitters: Bool

    /// Returns delays that start at `base` seconds and are multiplied by `factor` for each retry, up to `cap` seconds.
    ///
    /// With jitter, each delay is a random fraction of the calculated value, so that clients don't all retry at once.
    /// By default, delays start at 0.5 s and double up to 30 s, with jitter.
    public static func exponential(
        base: TimeInterval = 0.5,
        factor: Double = 2,
        cap: TimeInterval = 30,
        jitters: Bool = true
    ) -> Backoff { Backoff(base: base, factor: factor, cap: cap, jitters: jitters) }

    /// Returns a constant delay before each retry.
    public static func constant(_ seconds: TimeInterval) -> Backoff {
        Backoff(base: seconds, factor: 1, cap: seconds, jitters: false)
    }

    /// Returns the seconds before a retry.
    ///
    /// Retries are counted from 1.
    package func delay(
        beforeRetry retry: Int,
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> TimeInterval {
        let grown = base * pow(factor, Double(max(0, retry - 1)))
        // False for NaN, too.
        guard grown > 0, cap > 0 else { return 0 }
        let longest = min(cap, grown, .greatestFiniteMagnitude)
        return jitters ? random(0...longest) : longest
    }
}
