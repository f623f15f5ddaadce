import Foundation
import Testing

/// Keeps the links of documents alive, on GitHub and in DocC.
///
/// An article links to another with a label, as in `see [Errors]`, and defines the label twice: for DocC as `doc:Errors`, in
/// a comment that only Markdown's own parsers skip, and for GitHub as `Errors.md`. DocC's parser takes the directive in the
/// comment for the end of the comment, and uses the first definition.
@Suite
struct LinkTests {
    private static let documents = Result {
        let package = SourceFile.package
        let others =
            ["README.md", "Sources/README.md", ".github/SECURITY.md", ".github/CONTRIBUTING.md"]
            + ["Tests/Threats.md", "Tests/Faults.md", "Tests/Conformance.md"]
        return try DocumentTests.articles.get() + others.map { package.appendingPathComponent($0) }
    }

    @Test
    func linksLeadToFiles() throws {
        var count = 0
        for document in try Self.documents.get() {
            let text = try String(contentsOf: document, encoding: .utf8)
            let targets = text.matches(of: /\]\(([^)#\s]+)[^)]*\)|<a href="([^"#]+)"|(?m)^\[[^\]]+\]: (\S+\.md)$/)
                .compactMap { $0.1 ?? $0.2 ?? $0.3 }.map(String.init)
                .filter { !$0.contains("://") && $0.contains(/[.\/]/) }
            for target in targets {
                let path = document.deletingLastPathComponent().appendingPathComponent(target).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: path), "\(document.lastPathComponent): \(target)")
            }
            count += targets.count
        }
        #expect(count > 120)
    }

    /// A label that is defined only once is a dead link on GitHub, or plain text in DocC.
    @Test
    func articlesDefineEachLabelForGitHubAndForDocC() throws {
        var count = 0
        for article in try DocumentTests.articles.get() {
            let text = try String(contentsOf: article, encoding: .utf8)
            let visible = text.replacing(/(?s)<!--.*?-->/, with: "")
            let forDocC = text.matches(of: /(?m)^\[([^\]]+)\]: doc:(\w+)$/).map { "\($0.1): \($0.2)" }
            let onGitHub = visible.matches(of: /(?m)^\[([^\]]+)\]: (\w+)\.md$/).map { "\($0.1): \($0.2)" }
            #expect(forDocC.sorted() == onGitHub.sorted(), "\(article.lastPathComponent)")
            count += onGitHub.count

            let prose = visible.replacing(/(?ms)^ *```.*?^ *```$|`[^`]*`|^\[[^\]]+\]: .*?$/, with: "")
            let used = Set(prose.matches(of: /\[([^\[\]]+)\](?!\()/).map { String($0.1) })
            let defined = Set(onGitHub.map { String($0.prefix { $0 != ":" }) })
            #expect(used == defined, "\(article.lastPathComponent)")
        }
        #expect(count > 40)
    }

    /// GitHub shows such a link as text.
    ///
    /// Topics are DocC's own: where they name articles, a comment hides them.
    @Test
    func articlesHaveNoLinkThatOnlyDocCFollows() throws {
        for article in try DocumentTests.articles.get() {
            let text = try String(contentsOf: article, encoding: .utf8).replacing(/(?s)<!--.*?-->/, with: "")
            #expect(!text.contains("doc:"), "\(article.lastPathComponent)")
        }
    }
}
