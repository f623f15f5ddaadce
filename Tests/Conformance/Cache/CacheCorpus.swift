import Foundation
import SimpleNetworking
import SimpleNetworkingSupport

/// The cases for caches, each played against a client of its own.
enum CacheCorpus {
    static let corpora = [
        corpus("HTTP cache, required", .required, count: 137, required),
        corpus("HTTP cache, optimal", .optimal, count: 77, optimal),
        corpus("HTTP cache, questions", .check, count: 86, questions),
    ]

    private static func corpus(
        _ name: String,
        _ kind: CacheCase.Kind,
        count: Int,
        _ deviations: [Corpus.Deviation]
    ) -> Corpus {
        Corpus(name: name, files: ["cache/cache-tests.json"], count: count, deviations: deviations) { data in
            let cases = try [CacheCase.Suite](corpus: data[0]).flatMap(\.tests)
            let failures = await failures(of: cases)
            return cases.filter { $0.isForClients && $0.kind ?? .required == kind }.map { test in
                let unmet = test.dependsOn?.first { failures[$0] != nil }
                return Corpus.Row(id: test.id, failure: failures[test.id] ?? unmet.map { "depends on \($0)" })
            }
        }
    }

    /// What differs, by the cases that are not met; all are played once.
    private static func failures(of cases: [CacheCase]) async -> [String: String] {
        let task = played.withLock { played in
            let task = played ?? Task { await play(cases) }
            played = task
            return task
        }
        return await task.value
    }

    private static let played = Locked<Task<[String: String], Never>?>(nil)

    private static func play(_ cases: [CacheCase]) async -> [String: String] {
        await withTaskGroup(of: (String, String?).self) { group in
            for test in cases { group.addTask { (test.id, await CacheCasePlayer(test).play()) } }
            var failures: [String: String] = [:]
            for await (id, failure) in group { failures[id] = failure }
            return failures
        }
    }
}
