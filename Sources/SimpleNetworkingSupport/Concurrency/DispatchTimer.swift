/// Schedules a callback after a delay.
package enum DispatchTimer {
    /// Calls `work` after the given delay, in seconds, on a global queue, unless the returned closure is called first.
    package static func schedule(
        after seconds: TimeInterval,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // Not `asyncAfter`, which keeps cancelled work in memory until its time.
        let timer = DispatchSource.makeTimerSource(queue: .global())
        let decade: TimeInterval = 10 * 365 * 86_400
        timer.schedule(deadline: .now() + (seconds.isNaN ? 0 : max(0, min(seconds, decade))))
        // Dispatch's timers are not marked Sendable on Linux.
        let kept = Locked(Optional(timer))
        let cancel: @Sendable () -> Void = { kept.take()?.cancel() }
        timer.setEventHandler {
            cancel()
            work()
        }
        timer.resume()
        return cancel
    }
}
