import SimpleNetworkingTesting

/// Returns the seeds with which a second run does something else than the first.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package func seedsThatDiffer(
    _ seeds: ClosedRange<Int>,
    _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
) async -> [Int] {
    var differing: [Int] = []
    for seed in seeds {
        let first = await SimulationRun(seed: seed, body)
        let second = await SimulationRun(seed: seed, body)
        if first.trace != second.trace || first.choices != second.choices { differing.append(seed) }
    }
    return differing
}
