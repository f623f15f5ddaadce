import Foundation
import SimpleNetworking

/// Keeps a time that passes only by `advance(by:)`.
public final class VirtualClock: RequestClock {
    private struct Alarm {
        let id: Int
        let time: TimeInterval
        let work: @Sendable () -> Void
    }

    private struct State {
        var now: TimeInterval = 0
        var nextID = 0
        var alarms: [Alarm] = []
        var watchers: [(count: Int, isSet: Awaited<Void>)] = []
    }

    private let state = Locked(State())

    /// Makes a clock at time 0.
    public init() {}

    /// The seconds that have passed.
    public var now: TimeInterval { state.withLock(\.now) }

    /// Schedules work, which runs during `advance(by:)`.
    public func schedule(after seconds: TimeInterval, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let (id, ready) = state.withLock { state in
            state.nextID += 1
            state.alarms.append(Alarm(id: state.nextID, time: state.now + max(0, seconds), work: work))
            let ready = state.watchers.filter { $0.count <= state.alarms.count }
            state.watchers.removeAll { $0.count <= state.alarms.count }
            return (state.nextID, ready)
        }
        for watcher in ready { watcher.isSet.end(with: ()) }
        return { [state] in state.withLock { $0.alarms.removeAll { $0.id == id } } }
    }

    /// Lets time pass, and runs the work that is due: on this thread, in the order of its times.
    public func advance(by seconds: TimeInterval) {
        let end = now + seconds
        while let alarm = takeAlarm(before: end) { alarm.work() }
        state.withLock { $0.now = end }
    }

    /// The times of scheduled work, in seconds from now, earliest first.
    public var alarms: [TimeInterval] {
        state.withLock { state in state.alarms.map { $0.time - state.now }.sorted() }
    }

    /// Returns when at least this much work is scheduled, or when the task is cancelled.
    public func alarms(_ count: Int) async {
        let isSet = Awaited<Void>()
        let isReached = state.withLock { state in
            if state.alarms.count < count { state.watchers.append((count, isSet)) }
            return state.alarms.count >= count
        }
        if !isReached { await isSet.value(ifCancelled: ()) }
    }

    private func takeAlarm(before end: TimeInterval) -> Alarm? {
        state.withLock { state in
            let due = state.alarms.enumerated().filter { $0.element.time <= end }
            guard let first = due.min(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }) else {
                return nil
            }
            state.now = max(state.now, first.element.time)
            return state.alarms.remove(at: first.offset)
        }
    }
}
