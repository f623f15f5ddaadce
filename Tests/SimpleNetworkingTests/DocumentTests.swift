import Foundation
import Testing

/// Keeps what documents say about the repository true; the Playground's tests compile their samples.
@Suite
struct DocumentTests {
    private static let root = SourceFile.package
    /// The articles of all products.
    private static let articles = Result {
        try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent("Sources"),
            includingPropertiesForKeys: nil
        ).map { $0.appendingPathComponent("Documentation.docc") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
            .flatMap { try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
            .filter { $0.pathExtension == "md" }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// A comment such as `<!-- Tests: RetryTests, StopTests -->` says where the claims of a document are tested.
    @Test
    func theTestsThatDocumentsNameExist() throws {
        let folders = ["Tests", "Playground/Tests"].map { Self.root.appendingPathComponent($0) }
        let files = folders.flatMap { folder in
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        }
        let names = Set(files.map { $0.deletingPathExtension().lastPathComponent })
        let documents =
            try [text("README.md")] + Self.articles.get().map { try String(contentsOf: $0, encoding: .utf8) }
        let named = documents.flatMap { $0.matches(of: /(?s)<!--\s*Tests:(.*?)-->/) }
            .flatMap { $0.1.split { $0 == "," || $0.isWhitespace } }.map(String.init)
        #expect(named.count > 50)
        #expect(named.filter { !names.contains($0) } == [])
    }

    /// A narrow page would cut off what is wider, or make its text too small to read.
    @Test
    func thePictureOfTheHandlerOrderFitsAPhone() throws {
        let picture = try text(".github/handler-order.svg")
        let width = try #require(picture.firstMatch(of: /viewBox="0 0 (\d+) \d+" width="(\d+)"/))
        #expect(width.1 == width.2)
        #expect(try #require(Int(width.1)) <= 358)
    }

    /// Longer lines are hard to read in a terminal, in a review and in an editor; tables and code can't be wrapped.
    @Test
    func proseInTheReadmeHasNoLineOfMoreThan120Columns() throws {
        var isCode = false
        for line in try text("README.md").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if isCode || line.hasPrefix("|") || line.hasPrefix("<!--") { continue }
            #expect(line.count <= 120, "\(line)")
        }
    }
}
