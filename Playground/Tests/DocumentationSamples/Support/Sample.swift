import Foundation
import SimpleNetworking
import SimpleNetworkingTesting

/// What the samples of the documents use: a server that is a stub, and what they print.
protocol Sample: Sendable {
    var server: StubTransport { get }
    var printed: Recorder<String> { get }
}

extension Sample {
    /// What the samples call.
    func print(_ item: Any) { printed.add("\(item)") }

    /// The client of the samples.
    func client(_ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.logger = .silent
            configure(&$0)
        }
    }
}

/// The value that most samples decode.
struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

/// An article of the catalog.
struct Article {
    let text: String

    init(_ name: String) throws { text = try Self.source("Documentation.docc/\(name).md") }

    /// A file of the client's sources.
    static func source(_ path: String) throws -> String { try file("Sources/SimpleNetworkingCore/\(path)") }

    /// A file of the repository.
    static func file(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
        return try String(contentsOf: root.appendingPathComponent(path).standardizedFileURL, encoding: .utf8)
    }
}
