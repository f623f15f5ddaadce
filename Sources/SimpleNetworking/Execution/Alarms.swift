/// The scheduled events of an execution, and how to cancel them.
struct Alarms {
    typealias Timer = Execution.Timer

    /// The time at which the deadline passes, on the client's clock.
    private var deadline: TimeInterval?
    var isWatchingOwners = false
    /// The timers by purpose.
    ///
    /// Calling a timer cancels it.
    private var timers: [AlarmLabel: Timer] = [:]

    /// Sets the deadline, or returns false if it is already set, because all attempts share one deadline.
    mutating func setDeadline(_ time: TimeInterval) -> Bool {
        guard deadline == nil else { return false }
        deadline = time
        return true
    }

    /// Stores a timer, and returns the timer previously stored for the same purpose.
    mutating func keep(_ timer: @escaping Timer, for label: AlarmLabel) -> Timer? {
        timers.updateValue(timer, forKey: label)
    }

    /// Removes and returns a timer, or returns nil if there is none.
    mutating func take(_ label: AlarmLabel) -> Timer? { timers.isEmpty ? nil : timers.removeValue(forKey: label) }

    /// Removes and returns all timers.
    mutating func takeAll() -> [Timer] {
        if timers.isEmpty { return [] }
        defer { timers = [:] }
        return Array(timers.values)
    }

    /// Returns whether another attempt could begin after this delay.
    func hasTime(for delay: TimeInterval, at now: TimeInterval) -> Bool { deadline.map { now + delay < $0 } ?? true }
}
