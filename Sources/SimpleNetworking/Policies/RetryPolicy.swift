/// Says whether, and after how long, a failed attempt is repeated without asking any handler.
///
/// Only requests that may be sent twice are repeated: those with an idempotent method, and those with an
/// `Idempotency-Key`.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent in all, the first time counted in.
    public var attempts: Int
    /// The statuses after which it is sent again, by default 408, 429, 500, 502, 503 and 504.
    public var statuses: HTTPStatuses = [408, 429, 500, 502, 503, 504]
    /// The waits, where the server names none; by default they grow from 0.5 s to 30 s, with jitter.
    public var backoff: Backoff
    /// The longest `Retry-After` to wait for, in seconds, by default 60; a longer one means no retry.
    public var maxRetryAfter: TimeInterval = 60
    /// Whether `POST`, `PATCH` and others are repeated too; by default not, since they may take effect twice.
    public var repeatsAnyMethod = false

    /// Makes a policy.
    public init(attempts: Int, backoff: Backoff = .exponential) {
        self.attempts = attempts
        self.backoff = backoff
    }

    /// Sends once.
    public static let never = RetryPolicy(attempts: 1)

    /// Sends up to `attempts` times, with growing waits between.
    public static func exponential(attempts: Int, backoff: Backoff = .exponential) -> RetryPolicy {
        RetryPolicy(attempts: attempts, backoff: backoff)
    }

    /// Tells how an attempt ended.
    public enum Outcome: Sendable {
        /// An answer came, with this status and these header fields.
        case answer(Int, HTTPHeaders)
        /// No complete answer came.
        case failure(SimpleNetworkingError)
    }

    /// Decides what follows on an attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt, from 1.
    ///   - request: What was asked.
    ///   - outcome: How it ended.
    ///   - now: The time, for a `Retry-After` that is a date.
    ///   - random: Picks a number from a range; for tests.
    /// - Returns: The seconds to wait before the next attempt, or nil if there shall be none.
    public func delay(
        afterAttempt attempt: Int,
        of request: RequestHead,
        outcome: Outcome,
        now: Date = Date(),
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> TimeInterval? {
        guard attempt < attempts, repeatsAnyMethod || request.isRepeatable else { return nil }
        switch outcome {
        case .answer(let status, let headers):
            guard statuses.contains(status) else { return nil }
            guard let wait = Self.retryAfter(headers, now: now) else { break }
            return wait <= maxRetryAfter ? wait : nil
        case .failure(let error):
            if let response = error.response {
                let answer = Outcome.answer(response.httpStatus, response.headers)
                return delay(afterAttempt: attempt, of: request, outcome: answer, now: now, random: random)
            }
            guard Self.mayPass(error) else { return nil }
        }
        return backoff.delay(beforeRetry: attempt, random: random)
    }

    /// Tells whether the failure may be gone the next time; a bad certificate or an unreadable file will not.
    private static func mayPass(_ error: SimpleNetworkingError) -> Bool {
        switch error {
        case .networkingError(let failure, _): failure.kind != .tls && failure.kind != .unreadableBody
        case .timedOut(.attempt, _), .timedOut(.connect, _), .timedOut(.idle, _): true
        default: false
        }
    }

    private static func retryAfter(_ headers: HTTPHeaders, now: Date) -> TimeInterval? {
        guard let text = headers.values(for: "Retry-After").first?.trimmingCharacters(in: .whitespaces) else {
            return nil
        }
        return CacheControl.seconds(text) ?? HTTPDate.date(text, now: now).map { max(0, $0.timeIntervalSince(now)) }
    }
}
