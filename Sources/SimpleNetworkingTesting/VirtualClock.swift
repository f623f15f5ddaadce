import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// A clock whose time passes only when you call `advance(by:)` or `advance(to:)`.
///
/// If a test awaits a request that needs time, and nothing happens for three seconds of real time, the request ends with
/// `.failed`. The error contains the request's trace and the scheduled alarms.
///
/// ```swift
/// let clock = VirtualClock()
/// let api = SimpleNetworking(host: "api.example.com") { $0.clock = clock }
/// api.get("/user") { $0.on(httpStatus: 503) { request, _ in request.retry(after: 60); return false } }
/// try await clock.advance(to: .retry)
/// ```
public final class VirtualClock: RequestClock {
    private struct Alarm {
        let id: Int
        let time: TimeInterval
        let label: AlarmLabel
        let work: @Sendable () -> Void
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let counts: @Sendable (AlarmLabel) -> Bool
        let isSet: Awaited<Bool>
    }

    private struct State {
        var now: TimeInterval = 0
        var nextID = 0
        var alarms: [Alarm] = []
        var watchers: [Watcher] = []

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }

        func count(_ counts: (AlarmLabel) -> Bool) -> Int { alarms.filter { counts($0.label) }.count }

        /// The pending alarms, earliest first, and in the order in which they were set.
        var coming: [Alarm] { alarms.sorted { ($0.time, $0.id) < ($1.time, $1.id) } }
    }

    private let state = Locked(State())
    let stall = StallWatch()

    /// Creates a clock at time 0.
    public init() {}

    /// The number of seconds that have passed.
    public var now: TimeInterval { state.withLock(\.now) }

    /// Schedules work, which runs when the clock's time has advanced far enough.
    public func schedule(
        after seconds: TimeInterval,
        for label: AlarmLabel = .other,
        _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let (id, ready) = state.withLock { state in
            let id = state.makeID()
            state.alarms.append(Alarm(id: id, time: state.now + max(0, seconds), label: label, work: work))
            let ready = state.watchers.filter { $0.count <= state.count($0.counts) }
            state.watchers.removeAll { watcher in ready.contains { $0.id == watcher.id } }
            return (id, ready)
        }
        stall.noteProgress()
        for watcher in ready { watcher.isSet.end(with: true) }
        return { [state, stall] in
            // Outside the lock, because the work may hold the user's objects.
            let alarm = state.withLock { state in
                state.alarms.firstIndex { $0.id == id }.map { state.alarms.remove(at: $0) }
            }
            stall.noteProgress()
            withExtendedLifetime(alarm) {}
        }
    }

    // MARK: Time

    /// Advances time, and runs the due work on the calling thread, in the order of its scheduled times.
    public func advance(by seconds: TimeInterval) { advance(until: now + seconds) }

    /// Waits until an alarm with this label is set, and advances time to the earliest such alarm.
    ///
    /// This method also runs that alarm's work. As in `advance(by:)`, work that is due earlier runs first, so a timeout
    /// that is shorter than a retry's delay ends the request. The wait ends after a timeout in real time, so that a
    /// test fails instead of hanging.
    ///
    /// - Parameters:
    ///   - label: The purpose of the alarm, such as `.retry`.
    ///   - seconds: The timeout in seconds of real time. The default is 30.
    ///   - fileID: The file that a failure is attributed to. The default is the caller's file.
    ///   - filePath: The full path of that file. The default is the path of the caller's file.
    ///   - line: The line that a failure is attributed to. The default is the line of the call.
    ///   - column: The column that a failure is attributed to. The default is the column of the call.
    /// - Throws: An error whose text lists the alarms that are set instead; `CancellationError` if the task is
    ///   cancelled.
    public func advance(
        to label: AlarmLabel,
        within seconds: TimeInterval = 30,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) async throws {
        guard await wait(for: 1, within: seconds, { $0 == label }) else {
            try Task.checkCancellation()
            let place = SourcePlace(fileID, filePath, line, column)
            throw StubScope.noted(NoAlarm(place: place, label: label, seconds: seconds, pending: pending))
        }
        let time = state.withLock { state in state.coming.first { $0.label == label }?.time }
        // The alarm was cancelled in the meantime; time doesn't pass for it.
        if let time { advance(until: time) }
    }

    private func advance(until end: TimeInterval) {
        stall.noteProgress()
        while let alarm = takeAlarm(before: end) { alarm.work() }
        state.withLock { $0.now = max($0.now, end) }
        stall.noteProgress()
    }

    private func takeAlarm(before end: TimeInterval) -> Alarm? {
        state.withLock { state in
            guard let first = state.coming.first, first.time <= end else { return nil }
            state.now = max(state.now, first.time)
            state.alarms.removeAll { $0.id == first.id }
            return first
        }
    }

    // MARK: For simulations

    /// Advances time to the earliest alarm, and returns it; `choose` picks among alarms at the same time.
    func takeEarliest(_ choose: (Int) -> Int) -> (label: AlarmLabel, work: @Sendable () -> Void)? {
        state.withLock { state in
            guard let time = state.alarms.map(\.time).min() else { return nil }
            let earliest = state.alarms.indices.filter { state.alarms[$0].time == time }
            let alarm = state.alarms.remove(at: earliest[choose(earliest.count)])
            state.now = max(state.now, time)
            return (alarm.label, alarm.work)
        }
    }

    /// The number of seconds until the next alarm, if any, and whether any alarm is not just a limit.
    var prospects: (next: TimeInterval?, isMoreThanLimits: Bool) {
        state.withLock { state in
            (
                state.alarms.map(\.time).min().map { $0 - state.now },
                state.alarms.contains { !$0.label.isLimit && $0.label != .owners }
            )
        }
    }

    /// Whether something waits for this clock's time, and no task waits for alarms to be set, which has its own limit.
    var isAwaited: Bool {
        state.withLock { state in
            state.watchers.isEmpty
                && state.alarms.contains { stall.isSilent || !$0.label.isLimit && $0.label != .owners }
        }
    }

    /// The limits that are still scheduled; when nothing is running, they belong to work that has ended.
    var limits: [String] {
        state.withLock { $0.coming.filter(\.label.isLimit).map(\.label.rawValue) }
    }

    // MARK: Alarms

    /// The times at which work is scheduled, in seconds from now, earliest first.
    public var alarms: [TimeInterval] {
        stall.noteProgress()
        return state.withLock { state in state.coming.map { $0.time - state.now } }
    }

    /// Returns the times at which work with the given label is scheduled, in seconds from now, earliest first.
    public func alarms(for label: AlarmLabel) -> [TimeInterval] {
        stall.noteProgress()
        return state.withLock { state in state.coming.filter { $0.label == label }.map { $0.time - state.now } }
    }

    /// Descriptions of the scheduled work, earliest first, such as `["retry in 5 s", "timeout in 60 s"]`.
    public var pending: [String] {
        stall.noteProgress()
        return texts
    }

    /// What `pending` contains, for a failure.
    var texts: [String] {
        state.withLock { state in
            state.coming.map { alarm in
                let seconds = alarm.time - state.now
                let text = seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds))" : "\(seconds)"
                return "\(alarm.label.rawValue) in \(text) s"
            }
        }
    }

    /// Waits until at least this many alarms are scheduled, or until the current task is cancelled.
    ///
    /// If that takes more than a second of real time, standard error shows the scheduled alarms.
    ///
    /// - Parameters:
    ///   - count: The minimum number of scheduled alarms.
    ///   - label: The purpose of the alarms. If nil (the default), alarms of any purpose count, except the limits
    ///     `.timeout`, `.deadline` and `.refresh`, which are also set for requests that run normally.
    public func alarms(_ count: Int, for label: AlarmLabel? = nil) async {
        let cancelNote = SystemClock().schedule(after: 1) { [weak self] in
            guard let texts = self?.texts else { return }
            let awaited = "\(count) alarms\(label.map { " for \($0.rawValue)" } ?? "")"
            let scheduled = texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
            RequestLogger.standardError.log(.warning, "a test waits for \(awaited); scheduled: \(scheduled)")
        }
        defer { cancelNote() }
        _ = await wait(for: count, within: .infinity) { label == nil ? !$0.isLimit : $0 == label }
    }

    /// Returns false after the timeout in real time, or when the task is cancelled.
    private func wait(
        for count: Int,
        within seconds: TimeInterval,
        _ counts: @escaping @Sendable (AlarmLabel) -> Bool
    ) async -> Bool {
        let isSet = Awaited<Bool>()
        let id: Int? = state.withLock { state in
            guard state.count(counts) < count else { return nil }
            let id = state.makeID()
            state.watchers.append(Watcher(id: id, count: count, counts: counts, isSet: isSet))
            return id
        }
        guard let id else { return true }
        let cancelTimer = seconds < .infinity ? SystemClock().schedule(after: seconds) { isSet.end(with: false) } : {}
        defer {
            cancelTimer()
            state.withLock { $0.watchers.removeAll { $0.id == id } }
        }
        defer { stall.noteProgress() }
        return await isSet.value(ifCancelled: false)
    }
}
