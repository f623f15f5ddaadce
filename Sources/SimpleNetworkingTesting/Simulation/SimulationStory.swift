import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Records the events of a simulated world and its problems; as a monitor, also the events of requests.
final class SimulationStory: EventMonitor {
    /// One line of the trace, converted to text only when it is read.
    enum Entry: Sendable {
        case event(RequestEvent.Kind, name: String)
        case alarm(AlarmLabel)
        case note(@Sendable () -> String)

        var text: String {
            switch self {
            case .event(let kind, let name): "\(name): \(kind)"
            case .alarm(let label): "the clock: \(label.rawValue)"
            case .note(let text): text()
            }
        }
    }

    fileprivate struct Execution: Hashable {
        let request: Int
        let number: Int
    }

    fileprivate struct State {
        var entries: [(time: TimeInterval, entry: Entry)] = []
        var problems: [String] = []
        /// Short numbers for requests, in the order of their first events.
        var numbers: [Int: Int] = [:]
        var names: [Int: String] = [:]
        var active: Set<Execution> = []
        var ended: Set<Execution> = []
    }

    private let clock: VirtualClock
    private let state = Locked(State())

    init(clock: VirtualClock) { self.clock = clock }

    func add(_ entry: Entry) {
        let now = clock.now
        state.withLock { $0.entries.append((now, entry)) }
    }

    /// Reports a problem, once.
    func report(_ problem: String) {
        add(.note { "PROBLEM: \(problem)" })
        state.withLock { state in
            if !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    var problems: [String] { state.withLock { $0.problems } }
    /// Whether any executed request has not ended.
    var isAnyActive: Bool { state.withLock { !$0.active.isEmpty } }
    /// The names of requests that have not ended.
    var active: [String] {
        state.withLock { state in state.active.map(\.request).sorted().map { state.names[$0] ?? "" } }
    }

    /// The lines of the trace: virtual seconds, and what happened.
    var lines: [String] {
        state.withLock { $0.entries }.map { entry in
            let time = String(format: "%.3f", entry.time)
            return String(repeating: " ", count: max(0, 9 - time.count)) + "\(time) s  \(entry.entry.text)"
        }
    }

    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        let now = clock.now
        let name = state.withLock { state in
            let number = state.numbers[request.number] ?? state.numbers.count + 1
            let name = state.names[number] ?? "#\(number) \(request.description)"
            state.numbers[request.number] = number
            state.names[number] = name
            state.entries.append((now, .event(event.kind, name: name)))
            let isSecondEnd = state.note(event.kind, of: Execution(request: number, number: request.execution))
            return isSecondEnd ? name : nil
        }
        if let name { report("\(name) ended a second time") }
    }
}

extension SimulationStory.State {
    /// Returns whether the execution ends although it has already ended.
    fileprivate mutating func note(_ event: RequestEvent.Kind, of execution: SimulationStory.Execution) -> Bool {
        switch event {
        case .ended:
            active.remove(execution)
            return !ended.insert(execution).inserted
        default:
            // Some events come late.
            if !ended.contains(execution) { active.insert(execution) }
        }
        return false
    }
}
