import Foundation
import SimpleNetworkingCore

/// Runs code once for each seed, in simulated worlds that differ in the order and the outcome of events.
///
/// ```swift
/// try await simulate(seeds: 1...1_000) { world in
///     world.server.on(.get, "/user", .json(#"{"name": "Ada"}"#))
///     let api = SimpleNetworking(host: "api.example.com") {
///         world.configure(&$0)
///         $0.retryPolicy = RetryPolicy(attempts: 3)
///     }
///     let request = api.get("/user")
///     world.sometime("the screen closes") { request.cancel() }
/// }
/// ```
///
/// The seed decides how long responses take, which responses are lost, when alarms fire, and which of several possible
/// events happens next. Time is virtual and everything runs on one thread, so the same seed always produces the same
/// run. A run ends when nothing else can happen. The run fails if any of the following is true:
///
/// - An executed request has not ended, or has ended twice.
/// - A credential was sent to an origin other than its own.
/// - A time limit is still scheduled on the clock, or a response is still pending.
/// - The code throws an error, or waits for an event that never happens.
///
/// Everything that the code waits for must belong to the world. Use task groups and `async let` instead of `Task`, and
/// use the world's ``SimulatedWorld/pause()`` instead of `Task.sleep`. Don't call main-actor functions. Handlers may
/// run on any actor and any queue.
///
/// - Parameters:
///   - seeds: The seeds, such as `1...1_000`, or `[17]` to repeat the run of one seed.
///   - fileID: The file that a failure is attributed to. The default is the caller's file.
///   - filePath: The full path of that file. The default is the path of the caller's file.
///   - line: The line that a failure is attributed to. The default is the line of the call.
///   - column: The column that a failure is attributed to. The default is the column of the call.
///   - body: A closure that creates clients and requests. An error that the closure throws fails the run.
/// - Throws: An error whose text contains the seed, the problem and the trace; `CancellationError` if the task is
///   cancelled.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public func simulate(
    seeds: some Sequence<Int>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async throws {
    let queue = DispatchQueue(label: "SimpleNetworking.simulation")
    for seed in seeds {
        try Task.checkCancellation()
        let run = await SimulationRun(seed: seed, on: queue, body)
        guard !run.problems.isEmpty else { continue }
        throw StubScope.noted(SimulationFailure(run: run, place: SourcePlace(fileID, filePath, line, column)))
    }
}

/// The result of one seed.
package struct SimulationRun: Sendable {
    package let seed: Int
    package let problems: [String]
    /// The number of steps; `choices` is a digest of all choices.
    package let steps: Int
    package let choices: UInt64
    private let story: SimulationStory

    /// The events of the run, line by line.
    package var trace: [String] { story.lines }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    package init(
        seed: Int,
        on queue: DispatchQueue = DispatchQueue(label: "SimpleNetworking.simulation"),
        _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async {
        let world = SimulatedWorld(seed: seed)
        let scheduler = world.scheduler
        let story = world.scheduler.story
        Task(executorPreference: scheduler) {
            do { try await body(world) } catch { story.report("the code threw \(error)") }
            scheduler.endBody()
        }
        (steps, choices) = await scheduler.runAll(on: queue)
        world.end()
        for name in story.active { story.report("\(name) has not ended") }
        for wait in scheduler.waits { story.report(wait) }
        if scheduler.isBodyRunning { story.report("the code waits for what never comes, or is no part of the world") }
        for limit in scheduler.clock.limits { story.report("a \(limit) is left on the clock") }
        self.seed = seed
        self.story = story
        problems = story.problems
    }
}

/// Reports a seed that failed.
package struct SimulationFailure: PlacedFailure {
    package let run: SimulationRun
    package let place: SourcePlace?

    package init(run: SimulationRun, place: SourcePlace? = nil) {
        self.run = run
        self.place = place
    }

    /// The seed, the problem, and all events.
    package var text: String {
        let problems = run.problems.map { "  \($0)" }.joined(separator: "\n")
        let trace = run.trace.suffix(400).joined(separator: "\n")
        return """
            seed \(run.seed) fails:
            \(problems)
            what happened in its \(run.steps) steps (simulate(seeds: [\(run.seed)]) does it again):
            \(trace)
            """
    }
}
