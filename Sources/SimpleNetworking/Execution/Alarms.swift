/// Keeps what is to happen to an execution at a later time, and how to stop it.
struct Alarms {
    typealias Timer = Execution.Timer

    /// When the deadline passes, by the clock.
    private var deadline: TimeInterval?
    var isWatchingOwners = false
    /// By what they are for: calling one stops it.
    private var timers: [AlarmLabel: Timer] = [:]

    /// Sets the deadline; returns false if there is one, since all attempts share it.
    mutating func setDeadline(_ time: TimeInterval) -> Bool {
        guard deadline == nil else { return false }
        deadline = time
        return true
    }

    /// Keeps how to stop a timer, and returns what was kept for the same purpose.
    mutating func keep(_ timer: @escaping Timer, for label: AlarmLabel) -> Timer? {
        timers.updateValue(timer, forKey: label)
    }

    /// Takes how to stop a timer; nil if there is none.
    mutating func take(_ label: AlarmLabel) -> Timer? { timers.isEmpty ? nil : timers.removeValue(forKey: label) }

    /// Takes how to stop each timer.
    mutating func takeAll() -> [Timer] {
        if timers.isEmpty { return [] }
        defer { timers = [:] }
        return Array(timers.values)
    }

    /// Whether a further attempt after such a delay could still begin.
    func hasTime(for delay: TimeInterval, at now: TimeInterval) -> Bool { deadline.map { now + delay < $0 } ?? true }
}
