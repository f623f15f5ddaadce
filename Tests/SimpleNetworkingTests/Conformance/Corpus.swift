import Foundation

/// Public conformance corpora beside the package; they are no part of it, and tests that read them are left out without.
enum Corpus {
    static let missing = "there is no folder shared/corpora beside the package"

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// Reads JSON that may begin with a comment.
    static func json<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
        let lines = try text(path).split(separator: "\n").filter { !$0.hasPrefix("//") }
        return try JSONDecoder().decode(type, from: Data(lines.joined(separator: "\n").utf8))
    }

    /// A file of the package itself.
    static let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL

    private static let folder = package.appendingPathComponent("../shared/corpora").standardizedFileURL
}
