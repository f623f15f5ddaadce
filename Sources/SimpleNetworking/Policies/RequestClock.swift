/// Tells the time and wakes up later: what timeouts, deadlines and delays are kept with.
///
/// The default is the system's clock; tests bring one of their own, so that a delay of a minute takes no time.
public protocol RequestClock: Sendable {
    /// Seconds since some fixed moment; never goes back.
    var now: TimeInterval { get }

    /// Calls `work` once after so many seconds, on any thread, unless the returned closure is called before.
    func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension RequestClock {
    /// Waits so many seconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(_ seconds: TimeInterval) async throws {
        let race = Race<Void>()
        let cancel = schedule(after: seconds) { race.finish(.success(())) }
        defer { cancel() }
        try await race.value()
    }
}
