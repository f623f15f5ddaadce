import SimpleNetworkingSupport

/// Measures time and schedules callbacks for timeouts, deadlines and delays.
///
/// The default clock uses the system's monotonic clock and Dispatch timers. In tests, pass your own clock, so that even
/// a delay of one minute takes no real time.
public protocol RequestClock: Sendable {
    /// The number of seconds since some fixed moment. This number never decreases.
    var now: TimeInterval { get }

    /// Calls `work` once after the given delay, in seconds, on any thread, unless the returned closure is called first.
    ///
    /// The label lets a test's clock distinguish a retry from a timeout.
    func schedule(
        after seconds: TimeInterval,
        for label: AlarmLabel,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
}

/// Identifies the purpose of a scheduled callback.
///
/// Future versions may add more purposes.
public struct AlarmLabel: Hashable, Sendable {
    /// The name of the purpose.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The delay before a retry.
    public static let retry = AlarmLabel(rawValue: "retry")
    /// The timeout for an attempt.
    public static let timeout = AlarmLabel(rawValue: "timeout")
    /// The deadline for a request, including all attempts.
    public static let deadline = AlarmLabel(rawValue: "deadline")
    /// The timeout for refreshing a credential.
    public static let refresh = AlarmLabel(rawValue: "refresh")
    /// The next check of whether the owners of a request's handlers were deallocated.
    package static let owners = AlarmLabel(rawValue: "owners")
    /// Any other purpose.
    public static let other = AlarmLabel(rawValue: "other")
}

extension RequestClock {
    /// Waits for the given number of seconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(_ seconds: TimeInterval, for label: AlarmLabel) async throws {
        let first = FirstResult<Void>()
        let cancel = schedule(after: seconds, for: label) { first.finish(.success(())) }
        defer { cancel() }
        try await first.value()
    }
}

/// Uses the system's monotonic clock and Dispatch timers.
package struct SystemClock: RequestClock {
    /// Creates a clock.
    package init() {}

    /// The number of seconds since the machine started.
    package var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Calls `work` once after the given delay, in seconds, on a global queue.
    package func schedule(
        after seconds: TimeInterval,
        for label: AlarmLabel = .other,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void { DispatchTimer.schedule(after: seconds, work) }
}
