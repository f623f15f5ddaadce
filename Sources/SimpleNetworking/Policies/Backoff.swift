/// Says how long to wait before each retry.
public struct Backoff: Sendable, Hashable {
    /// The longest wait before the first retry, in seconds.
    public var base: TimeInterval
    /// What the wait grows by from retry to retry.
    public var factor: Double
    /// The longest wait before any retry, in seconds.
    public var cap: TimeInterval
    /// Whether each wait is a random part of the longest one, so that many clients do not come back all at once.
    public var jitters: Bool

    /// Waits that grow: up to 0.5 s, 1 s, 2 s, … 30 s, each a random part of it.
    public static let exponential = exponential()

    /// Waits that grow by a factor, up to a cap.
    public static func exponential(
        base: TimeInterval = 0.5,
        factor: Double = 2,
        cap: TimeInterval = 30,
        jitters: Bool = true
    ) -> Backoff {
        Backoff(base: base, factor: factor, cap: cap, jitters: jitters)
    }

    /// Waits that are all the same.
    public static func constant(_ seconds: TimeInterval) -> Backoff {
        Backoff(base: seconds, factor: 1, cap: seconds, jitters: false)
    }

    /// Gives the wait before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - random: Picks a number from a range; for tests.
    /// - Returns: The wait in seconds.
    public func delay(
        beforeRetry retry: Int,
        random: (ClosedRange<Double>) -> Double = { .random(in: $0) }
    ) -> TimeInterval {
        let grown = base * pow(factor, Double(max(0, retry - 1)))
        // Written so that a NaN is refused too: no comparison with it is true.
        guard grown > 0, cap > 0 else { return 0 }
        let longest = min(cap, grown, .greatestFiniteMagnitude)
        return jitters ? random(0...longest) : longest
    }
}
