import SimpleNetworkingTesting
import Testing

/// Sessions in simulated worlds: tokens expire and are refused, refreshes fail, and the user signs out and in.
///
/// `.ci/run` has more seeds, and `.ci/simulate` as many as it is told.
@Suite(.timeLimit(.minutes(10)))
struct SimulatedSignInTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func sessionsRefreshOnceAndLoseNoToken() async throws {
        try await simulate(seeds: 1...Storm.size(200, full: 20_000)) { await SimulatedSignIn.run($0) }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneSeedOfASessionAlwaysDoesTheSame() async {
        #expect(await seedsThatDiffer(1...10) { await SimulatedSignIn.run($0) } == [])
    }
}
