/// The scheduled events of an execution, and how to cancel them.
struct Alarms {
    typealias Timer = Execution.Timer

    /// When the deadline passes, on the client's clock.
    private var deadline: TimeInterval?
    var isWatchingOwners = false
    /// Timers by purpose; calling one cancels it.
    private var timers: [AlarmLabel: Timer] = [:]

    /// Sets the deadline; returns false if there is one already, because all attempts share it.
    mutating func setDeadline(_ time: TimeInterval) -> Bool {
        guard deadline == nil else { return false }
        deadline = time
        return true
    }

    /// Stores a timer, and returns the timer previously stored for the same purpose.
    mutating func keep(_ timer: @escaping Timer, for label: AlarmLabel) -> Timer? {
        timers.updateValue(timer, forKey: label)
    }

    /// Removes and returns a timer; nil if there is none.
    mutating func take(_ label: AlarmLabel) -> Timer? { timers.isEmpty ? nil : timers.removeValue(forKey: label) }

    /// Removes and returns all timers.
    mutating func takeAll() -> [Timer] {
        if timers.isEmpty { return [] }
        defer { timers = [:] }
        return Array(timers.values)
    }

    /// Returns whether a further attempt after this delay could still begin.
    func hasTime(for delay: TimeInterval, at now: TimeInterval) -> Bool { deadline.map { now + delay < $0 } ?? true }
}
