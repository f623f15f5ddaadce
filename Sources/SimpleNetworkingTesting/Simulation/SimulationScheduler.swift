import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Runs everything that happens in one simulated world on one thread, in an order that the seed decides.
///
/// Everything that could run next waits in `ready`: jobs of tasks, handlers, and work that a queue would run. While
/// real time could pass, the next alarm is another choice.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulationScheduler: TaskExecutor {
    typealias Work = @Sendable () -> Void

    private enum Step {
        case job(UnownedJob)
        case work(Work)
        case time
        /// Nothing else can happen: resumes a caller that waits for that.
        case settled(CheckedContinuation<Void, Never>)
    }

    private struct State {
        var ready: [Step] = []
        var generator: SeededGenerator
        var settling: [CheckedContinuation<Void, Never>] = []
        var isBodyRunning = true
        /// Descriptions of the events that the run waits for.
        var open: [Int: String] = [:]
        var nextOpen = 0
        var steps = 0
    }

    let clock: VirtualClock
    let story: SimulationStory
    private let state: Locked<State>
    /// The maximum number of steps; a run with more would never end.
    private static let limit = 50_000

    init(seed: Int) {
        clock = VirtualClock()
        story = SimulationStory(clock: clock)
        state = Locked(State(generator: SeededGenerator(seed: seed)))
    }

    // MARK: Input

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.ready.append(.job(job)) }
    }

    func run(_ work: @escaping Work) { state.withLock { $0.ready.append(.work(work)) } }

    /// Returns when nothing else can happen.
    func settled() async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.settling.append(continuation) }
        }
    }

    /// Notes an event that the run waits for; call the returned closure when it is over.
    func open(_ text: String) -> Work {
        let id = state.withLock { state in
            state.nextOpen += 1
            state.open[state.nextOpen] = text
            return state.nextOpen
        }
        return { [state] in state.withLock { $0.open[id] = nil } }
    }

    /// Notes that the code that makes the requests has returned.
    func endBody() { state.withLock { $0.isBodyRunning = false } }

    var isBodyRunning: Bool { state.withLock(\.isBodyRunning) }

    /// The events that the run still waits for, oldest first.
    var waits: [String] { state.withLock { state in state.open.sorted { $0.key < $1.key }.map(\.value) } }

    // MARK: Chance

    func number(in range: ClosedRange<Int>) -> Int { state.withLock { $0.generator.number(in: range) } }

    func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(number(in: 0...1_000)) / 1_000
    }

    /// The scheduler that the engine uses.
    var engine: Scheduler {
        Scheduler(
            executor: self,
            run: { [weak self] in self?.run($0) },
            random: { [weak self] in self?.number(in: $0) ?? $0.lowerBound }
        )
    }

    // MARK: Running

    /// Runs everything that can happen, on a thread of this queue.
    ///
    /// - Returns: The number of steps, and a digest of the choices.
    func runAll(on queue: DispatchQueue) async -> (steps: Int, choices: UInt64) {
        await withCheckedContinuation { continuation in
            queue.async {
                while let step = self.nextStep() { self.perform(step) }
                let end = self.state.withLock { ($0.steps, $0.generator.digest) }
                continuation.resume(returning: end)
            }
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .work(let work): work()
        case .settled(let continuation): continuation.resume()
        case .time:
            guard let alarm = clock.takeEarliest({ number(in: 0...$0 - 1) }) else { return }
            if alarm.label != .owners { story.add(.alarm(alarm.label)) }
            alarm.work()
        }
    }

    private func nextStep() -> Step? {
        let (next, hasPlans) = clock.prospects
        let isAnyActive = story.isAnyActive
        return state.withLock { state in
            guard state.steps < Self.limit else {
                story.report("it does not come to an end: there were \(Self.limit) steps")
                return nil
            }
            state.steps += 1
            let count = state.ready.count
            if count > 0 {
                // Threads may be slow, but not forever: time can pass before all possible work is done.
                if let next, next <= 30, state.generator.number(in: 1...16) == 1 { return .time }
                return state.ready.remove(at: count == 1 ? 0 : state.generator.number(in: 0...count - 1))
            }
            let isWaiting = !state.open.isEmpty || state.isBodyRunning && state.settling.isEmpty
            if next != nil, hasPlans || isAnyActive || isWaiting { return .time }
            return state.settling.isEmpty ? nil : .settled(state.settling.removeFirst())
        }
    }
}

/// Generates pseudorandom numbers that depend only on the seed.
struct SeededGenerator {
    private var state: UInt64
    /// Changes if any number or the range requested for it differs.
    private(set) var digest: UInt64 = 0

    init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        let offset = next() % count
        digest = (digest ^ (offset &+ count << 32)) &* 0x9E37_79B9_7F4A_7C15
        return range.lowerBound + Int(offset)
    }

    /// SplitMix64: adds a constant, then mixes the bits.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
