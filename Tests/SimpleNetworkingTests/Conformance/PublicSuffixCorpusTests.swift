import Foundation
import Testing

@testable import SimpleNetworking

/// The list's own tests.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.missing)))
struct PublicSuffixCorpusTests {
    @Test
    func everyRowOfTheListsOwnTestsHolds() throws {
        let pattern = /checkPublicSuffix\('([^']*)', (?:'([^']*)'|null)\);/
        let lines = try Corpus.text("public-suffix/test_psl.txt").split(separator: "\n")
        // Its first row asks about no host at all, as its last commented ones about none on the Internet.
        let rows = lines.filter { $0.hasPrefix("checkPublicSuffix(") && !$0.contains("(null, null)") }
        #expect(rows.count == 77)
        for row in rows {
            let match = try #require(row.wholeMatch(of: pattern), "\(row)")
            let expected = try match.2.map { try #require(URL(string: "https://\($0)/")?.host) }
            #expect(registrableDomain(of: String(match.1)) == expected, "\(row)")
        }
    }
}
