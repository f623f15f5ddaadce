import Foundation
import Testing

/// Keeps what documents say about the repository true; the Playground's tests compile their samples.
@Suite
struct DocumentTests {
    private static let root = SourceFile.package
    private static let catalog = "Sources/SimpleNetworkingCore/Documentation.docc"
    /// The articles of all products.
    static let articles = Result {
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
            try ["README.md", "Tests/Conformance.md"].map(text)
            + Self.articles.get().map { try String(contentsOf: $0, encoding: .utf8) }
        let named = documents.flatMap { $0.matches(of: /(?s)<!--\s*Tests:(.*?)-->/) }
            .flatMap { $0.1.split { $0 == "," || $0.isWhitespace } }.map(String.init)
        #expect(named.count > 50)
        #expect(named.filter { !names.contains($0) } == [])
    }

    /// A narrow page would cut off what is wider, or make its text too small to read.
    @Test
    func thePictureOfTheHandlerOrderFitsAPhone() throws {
        let picture = try text("\(Self.catalog)/handler-order.svg")
        let width = try #require(picture.firstMatch(of: /viewBox="0 0 (\d+) \d+" width="(\d+)"/))
        #expect(width.1 == width.2)
        #expect(try #require(Int(width.1)) <= 358)
    }

    /// A short README is read to its end.
    @Test
    func theReadmeFitsThreeScreens() throws {
        let readme = try text("README.md")
        let lines = readme.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 121, "120 lines, and what follows the last line break")
        for line in lines { #expect(line.count <= 120, "\(line)") }
        let prose = Prose(markdown: readme)
        #expect(prose.wordCount <= 700)
        for block in prose.blocks { #expect(Prose.wordCount(block) <= 60, "\(block)") }
    }

    @Test(arguments: [
        ("CHANGELOG.md", 1500), ("MigratingFromAlamofire.md MigratingFromAlamofireAdvanced.md", 1500),
        ("MigratingFromMoya.md MigratingFromGet.md MigratingFromURLSession.md MigratingFromNBClient.md", 900),
    ])
    func documentsThatAreLookedUpStayShort(names: String, limit: Int) throws {
        let words = try names.split(separator: " ").map { name in
            let path = name == "CHANGELOG.md" ? String(name) : "\(Self.catalog)/\(name)"
            return try text(path).split(whereSeparator: \.isWhitespace).count
        }
        #expect(words.reduce(0, +) <= limit)
    }

    @Test
    func articlesHaveAtMost20000Words() throws {
        let words = try Self.articles.get().map {
            try String(contentsOf: $0, encoding: .utf8).split(whereSeparator: \.isWhitespace).count
        }
        #expect(words.reduce(0, +) <= 20_000)
    }

    /// Without a sign-in that can fail, a 401 handler leaves its request without an end.
    @Test
    func theFirst401OfTheReadmeEndsItsRequestIfTheSignInFails() throws {
        let samples = try text("README.md").matches(of: /(?ms)^```swift\n(.*?)^```$/).map { String($0.1) }
        let first = try #require(samples.first { $0.contains("401") || $0.contains("Authenticator") })
        let ends = ["reauthenticate", "BearerAuthenticator", "fail(error)"].contains { first.contains($0) }
        #expect(ends, "\(first)")
    }

    @Test
    func noDocumentTeachesARetryWithoutAFailure() throws {
        let articles = try Self.articles.get().map { try String(contentsOf: $0, encoding: .utf8) }
        for document in try articles + [text("README.md")] {
            #expect(!document.contains("ignIn { request.retry() }"))
            #expect(!document.contains("if request.httpStatusHandlers["))
        }
    }

    /// A release is dated in the CHANGELOG; until then, no document installs a version.
    @Test
    func documentsAgreeWhetherThereIsARelease() throws {
        let isReleased = try text("CHANGELOG.md").contains(/(?m)^## \[\d/)
        #expect(try text("README.md").contains("Not released") == !isReleased)
        let tutorial = try text("\(Self.catalog)/Tutorial.md")
        #expect(tutorial.contains("from: \"") == isReleased)
    }

    @Test
    func theListOfArticlesIsCompleteAndOneClickFromTheReadme() throws {
        let list = try text("Sources/README.md")
        for article in try Self.articles.get() {
            let path = article.path.components(separatedBy: "/Sources/").last ?? ""
            #expect(list.contains("](\(path))"), "\(path)")
        }
        #expect(try text("README.md").contains("](Sources/README.md)"))
    }

    @Test
    func everyProductIsNamedInTheReadme() throws {
        let readme = try text("README.md")
        let products = try text("Package.swift").matches(of: /library\(name: "SimpleNetworking(\w*)"/).map { $0.1 }
        #expect(products.count > 10)
        for product in products {
            #expect(["SimpleNetworking", "…"].contains { readme.contains("`\($0)\(product)`") }, "\(product)")
        }
    }

    @Test
    func everyLandingPageLeadsToTheRecipesFirst() throws {
        let pages = try Self.articles.get().filter {
            $0.deletingPathExtension().lastPathComponent
                == $0.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent
        }
        #expect(pages.count > 8)
        for page in pages {
            let prose = Prose(markdown: try String(contentsOf: page, encoding: .utf8))
            let second = prose.blocks.filter { !$0.hasPrefix("#") }.dropFirst().first
            #expect(second?.contains("Recipes") == true, "\(page.lastPathComponent)")
        }
    }
}
