import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// Random worlds: every switch and every event, and what must be true whenever a request leaves.
///
/// `.ci/run` has more seeds, and `.ci/simulate` as many as it is told.
@Suite(.timeLimit(.minutes(10)))
struct RandomWorldTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func whateverIsSentKeepsToTheInvariants() async throws {
        try await simulate(seeds: 1...Storm.size(300, full: 20_000)) { await RandomWorld.run($0) }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneSeedAlwaysDoesTheSame() async {
        #expect(await seedsThatDiffer(1...20) { await RandomWorld.run($0) } == [])
    }

    /// A new switch has to be random, too, or be named as one that isn't.
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func everySwitchIsRandom() throws {
        let lists = [
            ("Client/Configuration.swift", "        public var ", RandomConfiguration.names),
            ("TrafficRules.swift", "    public var ", RandomConfiguration.trafficNames),
            ("Policies/RetryPolicy.swift", "    public var ", RandomConfiguration.retryNames),
            ("Requests/RequestSpecification.swift", "    var ", RandomRequest.names),
        ]
        let files = try ["SimpleNetworkingCore", "SimpleNetworkingTraffic"].flatMap { try SourceFile.all(of: $0) }
        for (path, keyword, names) in lists {
            let file = try #require(files.first { $0.path == path })
            // The file begins with the type.
            let type = file.text.split(separator: "\n").prefix { $0 != "}" }
            let declared = type.filter { $0.hasPrefix(keyword) }
                .map { line in String(line.dropFirst(keyword.count).prefix { $0.isLetter }) }
            #expect(Set(declared).subtracting(names) == [], "\(path)")
            #expect(declared.count > 5, "\(path)")
        }
    }

    /// What a feature adds to the configuration has to be random as well.
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func everySwitchOfAFeatureIsRandom() throws {
        let folder = SourceFile.package.appendingPathComponent("Sources").path
        let modules = try FileManager.default.contentsOfDirectory(atPath: folder)
        let files = try modules.flatMap { try SourceFile.all(of: $0) }
        let features = files.filter { $0.code.contains(/(?m)^(?:enum|struct) \w+: Feature\b/) }
        #expect(!features.isEmpty)
        for file in features {
            let declared = file.text.matches(of: /(?m)^    public var (\w+)/).map { String($0.1) }
            #expect(Set(declared).subtracting(RandomConfiguration.names) == [], "\(file.path)")
        }
    }
}
