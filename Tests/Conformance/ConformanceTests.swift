import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import Testing

/// Plays public corpora: each row is met, or named with the reason why it is not.
@Suite(.timeLimit(.minutes(5)))
struct ConformanceTests {
    static let corpora =
        CacheCorpus.corpora + [
            CookieCorpora.cookies, CookieCorpora.dates, PublicSuffixCorpus.corpus, MediaTypeCorpora.types,
            MediaTypeCorpora.fields, StructuredFieldCorpus.corpus,
        ]

    @Test
    func everyRowIsMetOrNamed() async throws {
        var table = ["Conformance, by the corpora in \(Corpus.folder.path):"]
        #expect(Corpus.mayBeAbsent || FileManager.default.fileExists(atPath: Corpus.folder.path), "\(table[0])")
        for corpus in Self.corpora {
            guard let rows = try await corpus.rows() else {
                table.append("| \(corpus.name) | absent |")
                continue
            }
            let named = corpus.deviations.flatMap(\.rows)
            let unmet = rows.filter { $0.failure != nil }
            #expect(rows.count == corpus.count, "\(corpus.name)")
            for row in unmet where !named.contains(row.id) { Issue.record("\(row.id): \(row.failure ?? "")") }
            for id in named where !unmet.contains(where: { $0.id == id }) { Issue.record("\(id) is met") }
            table.append("| \(corpus.name) | \(rows.count - unmet.count) of \(rows.count) |")
        }
        print(table.joined(separator: "\n"))
    }

    @Test
    func articleNamesEveryScoreAndEachReason() throws {
        let article = try Self.text("Tests/Conformance.md")
        for corpus in Self.corpora {
            #expect(article.contains("| \(corpus.name) | \(corpus.score) |"))
        }
        // The article leaves out the many reasons for what RFC 9111 leaves open.
        let corpora = Self.corpora.filter { $0.name != "HTTP cache, questions" }
        for reason in corpora.flatMap(\.deviations).map(\.reason) + CookieCorpora.changes.map(\.reason) {
            #expect(article.contains("\n- \(reason)\n"), "\(reason)")
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
    }
}
