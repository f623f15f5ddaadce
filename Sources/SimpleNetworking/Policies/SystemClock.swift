/// Keeps time with the system's monotonic clock and a Dispatch timer.
public struct SystemClock: RequestClock {
    /// Makes a clock.
    public init() {}

    /// Seconds since the machine started.
    public var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Calls `work` once after so many seconds, on a global queue.
    public func schedule(
        after seconds: TimeInterval,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // A timer source and not `asyncAfter`: what is cancelled there stays in memory until its time has come.
        let timer = DispatchSource.makeTimerSource(queue: .global())
        let decade: TimeInterval = 10 * 365 * 86_400
        timer.schedule(deadline: .now() + (seconds.isNaN ? 0 : max(0, min(seconds, decade))))
        // Dispatch's timers are not marked Sendable on Linux.
        let kept = Locked(Optional(timer))
        let cancel: @Sendable () -> Void = {
            kept.withLock { timer in
                timer?.cancel()
                timer = nil
            }
        }
        timer.setEventHandler {
            cancel()
            work()
        }
        timer.resume()
        return cancel
    }
}
