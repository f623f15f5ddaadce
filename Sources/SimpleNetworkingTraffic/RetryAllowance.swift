import SimpleNetworkingFeatureSupport

/// Limits the share of requests that may be retries, so that retries don't overload a failing server.
///
/// ```swift
/// let api = SimpleNetworking(host: "api.example.com") {
///     $0.retryPolicy = RetryPolicy(attempts: 3)
///     $0.retryAllowance = RetryAllowance()
/// }
/// ```
///
/// Retries by a `RetryPolicy` and by `shouldRetry(_:error:attempt:)` in the last 10 s count toward the limit. If the
/// allowance refuses a retry, the request ends with its last response or error, and the request's trace shows the
/// refusal. The allowance never refuses a handler's `retry()`.
public final class RetryAllowance: Sendable {
    /// The number of seconds over which requests are counted.
    private static let window: TimeInterval = 10

    private let share: Double
    private let reserve: Double
    private let requests = Locked(SlidingCounts(length: window))

    /// Creates an allowance, for one client or for several clients that call the same servers.
    ///
    /// - Parameters:
    ///   - share: The share of the requests that may be retries. The default is 0.1.
    ///   - perSecond: The number of additional retries per second, for a client that sends few requests. The default
    ///     is 1.
    public init(share: Double = 0.1, perSecond: Double = 1) {
        self.share = share
        reserve = perSecond * Self.window
    }

    /// Counts a request that is sent, including retries.
    func noteRequest(at now: TimeInterval) { requests.withLock { $0.add(all: 1, marked: 0, at: now) } }

    /// Uses one retry.
    ///
    /// Returns false if no retry is left.
    func takeRetry(at now: TimeInterval) -> Bool {
        requests.withLock { requests in
            let counts = requests.counts(at: now)
            guard Double(counts.marked) + 1 <= share * Double(counts.all) + reserve else { return false }
            requests.add(all: 0, marked: 1, at: now)
            return true
        }
    }
}
