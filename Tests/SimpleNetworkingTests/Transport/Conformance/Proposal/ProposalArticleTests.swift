import Foundation
import Testing

/// `Tests/Conformance.md` publishes what `HTTPAPIProposalTests` show.
@Suite
struct ProposalArticleTests {
    @Test
    func eachCaseHasItsTest() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let texts = try files.filter { $0.lastPathComponent.hasPrefix("HTTPAPIProposalTests") }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let names = texts.flatMap { $0.matches(of: /@Test\(arguments: Engine.allCases\)\n *func (\w+)\(engine:/) }
            .map { String($0.1) }
        #expect(names.sorted() == ProposalCase.allCases.map(\.rawValue).sorted())
    }

    #if canImport(CLibcurl) && os(Linux)
        private static let article = Result {
            let path = "Tests/Conformance.md"
            return try String(contentsOf: SourceFile.package.appendingPathComponent(path), encoding: .utf8)
        }

        @Test
        func theArticleHasEachCaseThatAnEngineDoesNotMeet() throws {
            let rows = try Self.article.get().split(separator: "\n").filter { $0.hasPrefix("| `test") }.map(String.init)
            let deviating = ProposalCase.allCases.filter { row in
                [Engine.curl, .ownSession].contains { row.deviation(of: $0) != nil }
            }
            #expect(rows == deviating.map { "| `\($0)` | \(cell($0, .curl)) | \(cell($0, .ownSession)) |" })
        }

        @Test(arguments: [Engine.curl, .ownSession])
        func theArticleCountsTheCasesThatAnEngineMeets(engine: Engine) throws {
            let cases = ProposalCase.allCases
            let met = cases.filter { $0.deviation(of: engine) == nil }
            let row = "| this package, \(engine.rawValue) | \(met.count) of \(cases.count) |"
            #expect(try Self.article.get().contains(row))
        }

        private func cell(_ row: ProposalCase, _ engine: Engine) -> String {
            row.deviation(of: engine).map { "no: \($0.reason)" } ?? "yes"
        }
    #endif
}
