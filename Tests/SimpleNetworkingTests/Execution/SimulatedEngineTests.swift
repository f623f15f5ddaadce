import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// The engine in simulated worlds: faults, retries, authentication, the cache, cancellations and redirects in any order.
///
/// `.ci/run` has more seeds, and `.ci/simulate` as many as it is told.
@Suite(.timeLimit(.minutes(10)))
struct SimulatedEngineTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func requestsEndOnceInOrderAndKeepTheirSecrets() async throws {
        try await simulate(seeds: 1...Storm.size(120, full: 20_000)) { await SimulatedSession.run($0) }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneSeedOfTheEngineAlwaysDoesTheSame() async {
        #expect(await seedsThatDiffer(1...10) { await SimulatedSession.run($0) } == [])
    }
}
