import Foundation
import Testing

/// Compares the samples of the documents with the code of this package's tests, so that both stay the same: what stands in a
/// document is compiled here, as in a package of a user.
@Suite
struct SampleComparisonTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// Documents and tests are compared without white space, so that a sample may be indented.
    private static let tests = Result {
        try ["DocumentationSamples", "AdapterTests"]
            .flatMap { try files("swift", in: "Playground/Tests/\($0)") }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
            .filter { !$0.isWhitespace }
    }

    private static func files(_ ending: String, in folder: String) throws -> [URL] {
        let contents = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder),
            includingPropertiesForKeys: nil
        )
        return contents?.compactMap { $0 as? URL }.filter { $0.pathExtension == ending } ?? []
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The samples without their imports, which `.ci/samples/check` compiles them with.
    private func samples(in text: String) -> [String] {
        text.matches(of: /(?ms)^ *```swift\n(.*?)^ *```$/)
            .map { String($0.1).replacing(/(?m)^(@testable )?import .*$/, with: "") }
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private func expectTests(of samples: [String]) throws {
        let tests = try Self.tests.get()
        for sample in samples {
            let isCompiled = tests.contains(sample.filter { !$0.isWhitespace })
            #expect(isCompiled, "no test compiles this:\n\(sample)")
        }
    }

    @Test(arguments: ["README.md", "CHANGELOG.md"])
    func everySampleOfADocumentIsCompiled(document: String) throws {
        let samples = try samples(in: text(document))
        #expect(!samples.isEmpty)
        try expectTests(of: samples)
    }

    @Test
    func everySampleOfAnArticleIsCompiled() throws {
        let samples = try Self.files("md", in: "Sources").map { try String(contentsOf: $0, encoding: .utf8) }
            .flatMap(samples)
        #expect(samples.count > 100)
        try expectTests(of: samples)
    }

    @Test
    func everySampleOfADocCommentIsCompiled() throws {
        let samples = try Self.files("swift", in: "Sources")
            .map { try String(contentsOf: $0, encoding: .utf8).replacing(/(?m)^ *\/\/\/ ?/, with: "") }
            .flatMap(samples)
        #expect(samples.count > 20)
        try expectTests(of: samples)
    }
}
