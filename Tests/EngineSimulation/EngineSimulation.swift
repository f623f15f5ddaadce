import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting

/// Runs the engine in simulated worlds, from one seed to another: `EngineSimulation 1 20000`.
///
/// Each seed is also that of a random world. OAuth sessions are simulated with every eighth seed, after these.
///
/// It fails with the trace of a seed that something is wrong with; if there are several, of any.
@main
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct EngineSimulation {
    static func main() async {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 2, numbers[0] <= numbers[1] else {
            print("usage: EngineSimulation <first seed> <last seed>")
            exit(2)
        }
        let start = Date()
        do {
            let digest = try await run(numbers[0]...numbers[1])
            let seconds = Int(Date().timeIntervalSince(start).rounded())
            print("Seeds \(numbers[0]) to \(numbers[1]): nothing was wrong with any, in \(seconds) s.")
            print("The digest of all choices, the same each time: \(String(digest, radix: 16))")
        } catch {
            print(error)
            exit(1)
        }
    }

    /// Runs the seeds on some threads: each run stays on one.
    private static func run(_ seeds: ClosedRange<Int>) async throws -> UInt64 {
        let threads = 8
        return try await withThrowingTaskGroup(of: UInt64.self) { group in
            for first in 0..<threads {
                let own = stride(from: seeds.lowerBound + first, through: seeds.upperBound, by: threads)
                group.addTask { try await digest(of: own) }
            }
            return try await group.reduce(0, ^)
        }
    }

    private static func digest(of seeds: some Sequence<Int>) async throws -> UInt64 {
        var digest: UInt64 = 0
        for seed in seeds {
            try Task.checkCancellation()
            digest ^= try await play(seed) { await SimulatedSession.run($0) }
            digest ^= try await play(seed) { await RandomWorld.run($0) }
            // An eighth more time, not twice as much.
            if seed.isMultiple(of: 8) { digest ^= try await play(seed) { await SimulatedSignIn.run($0) } }
        }
        return digest
    }

    private static func play(
        _ seed: Int,
        _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async throws -> UInt64 {
        let run = await SimulationRun(seed: seed, body)
        guard run.problems.isEmpty else { throw SimulationFailure(run: run) }
        return run.choices
    }
}
