import Foundation
import SimpleNetworkingTestSupport

/// The rows of a public corpus, and those that the package doesn't meet.
struct Corpus: Sendable {
    /// A row, as it was played.
    struct Row: Sendable {
        let id: String
        /// What differs from the row; nil if nothing does.
        let failure: String?
    }

    /// Rows that are not met, for one reason.
    struct Deviation: Sendable {
        let reason: String
        let rows: [String]
    }

    let name: String
    /// Paths in the folder of corpora.
    let files: [String]
    /// How many rows there are.
    let count: Int
    var deviations: [Deviation] = []
    let play: @Sendable ([Data]) async throws -> [Row]

    /// Plays all rows; nil if the corpus is absent.
    func rows() async throws -> [Row]? {
        let contents = files.compactMap { try? Data(contentsOf: Self.folder.appendingPathComponent($0)) }
        return contents.count == files.count ? try await play(contents) : nil
    }

    /// How many rows are met; nothing less passes the tests.
    var score: String { "\(count - deviations.flatMap(\.rows).count) of \(count)" }

    private static let named = ProcessInfo.processInfo.environment["SIMPLENETWORKING_CORPORA"]

    /// The corpora's folder: beside the package's, or what the variable names.
    static let folder =
        named.map { URL(fileURLWithPath: $0) }
        ?? SourceFile.package.appendingPathComponent("../shared/corpora").standardizedFileURL

    /// Whether the tests pass without the folder: where no variable names it.
    static var mayBeAbsent: Bool { named == nil }
}

extension Decodable {
    /// Reads JSON that may begin with a comment.
    init(corpus data: Data) throws {
        let lines = data.split(separator: UInt8(ascii: "\n")).filter { !$0.starts(with: "//".utf8) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(lines.joined(separator: "\n".utf8)))
    }
}
