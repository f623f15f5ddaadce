/// The machine's monotonic clock.
enum Clock {
    /// Nanoseconds since some fixed moment.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Runs `work` and gives the seconds it took.
    static func seconds(of work: () async throws -> Void) async rethrows -> Double {
        let start = now
        try await work()
        return Double(now - start) / 1e9
    }
}
