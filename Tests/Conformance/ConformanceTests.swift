import Foundation
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
    func articleNamesEveryScoreAndEveryDeviation() throws {
        let article = try Self.text("Sources/SimpleNetworking/Documentation.docc/Conformance.md")
        for corpus in Self.corpora {
            #expect(article.contains("| \(corpus.name) | \(corpus.score) |"))
            for deviation in corpus.deviations {
                #expect(article.contains(deviation.reason), "\(deviation.reason)")
                for row in deviation.rows { #expect(article.contains("`\(row)`"), "\(row)") }
            }
        }
        for change in CookieCorpora.changes {
            #expect(article.contains(change.reason), "\(change.reason)")
            for row in change.sent.keys { #expect(article.contains("`\(row)`"), "\(row)") }
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
    }
}
