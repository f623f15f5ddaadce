import SimpleNetworkingSupport

/// The scheduled events of an execution, and how to cancel them.
struct Alarms {
    typealias Timer = Execution.Timer

    /// The time at which the deadline passes, on the client's clock.
    private var deadline: TimeInterval?
    /// The time from which the deadline counts.
    private var deadlineStart: TimeInterval?
    /// Whether an attempt has begun, after which the deadline doesn't change.
    private var isDeadlineFinal = false
    var isWatchingOwners = false
    /// The number of seconds for which the client has tried to connect since a connection was last made.
    var secondsWithoutConnection: TimeInterval = 0
    /// The timers by purpose.
    ///
    /// Calling a timer cancels it.
    private var timers: [AlarmLabel: Timer] = [:]

    /// Sets the deadline, and returns the number of seconds until it passes; nil if it is unchanged.
    ///
    /// All attempts share one deadline. Before the first attempt, the deadline may be set once provisionally.
    mutating func setDeadline(_ seconds: TimeInterval, at now: TimeInterval, isFinal: Bool) -> TimeInterval? {
        if isDeadlineFinal || !isFinal && deadline != nil { return nil }
        isDeadlineFinal = isFinal
        let start = deadlineStart ?? now
        deadlineStart = start
        guard deadline != start + seconds else { return nil }
        deadline = start + seconds
        return start + seconds - now
    }

    /// Removes a provisional deadline, because the first attempt has none, and returns its timer.
    mutating func removeProvisionalDeadline() -> Timer? {
        guard deadline != nil, !isDeadlineFinal else { return nil }
        deadline = nil
        return take(.deadline)
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
