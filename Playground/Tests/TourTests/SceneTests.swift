import Foundation
import Testing

@testable import Tour

@Suite(.timeLimit(.minutes(5)))
struct SceneTests {
    @Test(arguments: Tour.allScenes.indices)
    func everySceneRunsAsExpected(index: Int) async throws {
        let paper = Paper()
        let scene = Tour.allScenes[index]
        let reports = try await Tour(scenes: [scene], limit: .seconds(120), screen: paper.screen()).play()
        let report = try #require(reports.first)
        #expect(report.isAsExpected, "\(report.problems.joined(separator: "\n"))\n\n\(paper.text)")
        #expect(report.title == scene.title)
        for line in scene.code.split(separator: "\n") { #expect(paper.text.contains(line)) }
        for text in report.said { #expect(paper.words.contains(text.filter { !$0.isWhitespace })) }
        #expect(paper.lines.last?.hasPrefix("1 scene, 1 as expected, ") == true)
    }

    /// The printed code is the code that runs: it stands once in a string and once outside it.
    @Test(arguments: Tour.allScenes.indices)
    func theCodeShownIsTheCodeThatRuns(index: Int) throws {
        let sources = try Self.sources()
        let lines = Tour.allScenes[index].code.components(separatedBy: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        for piece in lines.split(whereSeparator: { $0.isEmpty || $0 == "…" }) {
            let text = piece.joined(separator: "\n")
            #expect(sources.contains { $0.contains(text) }, "stands nowhere:\n\(text)")
        }
    }

    @Test
    func noTwoScenesHaveTheSameTitle() {
        let titles = Tour.allScenes.map(\.title)
        #expect(Set(titles).count == titles.count)
    }

    /// The sources without indentation and without multiline strings.
    private static func sources() throws -> [String] {
        let folder = URL(fileURLWithPath: "\(#filePath)").appendingPathComponent("../../../Sources/Tour/Scenes")
            .standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.map { file in
            var isString = false
            return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").compactMap { line in
                let line = line.trimmingCharacters(in: .whitespaces)
                defer { if line.hasSuffix("\"\"\"") { isString.toggle() } }
                return isString ? nil : line
            }
            .joined(separator: "\n")
        }
    }
}
