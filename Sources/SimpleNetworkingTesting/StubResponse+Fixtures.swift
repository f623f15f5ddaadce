import Foundation
import SimpleNetworkingCore

extension StubResponse {
    /// Responds with a file relative to the test's source, such as `try .fixture("Fixtures/user.json")`.
    ///
    /// - Parameters:
    ///   - path: The path of the file, relative to the folder of the calling source file.
    ///   - type: The media type of the file. The default depends on the file's extension.
    ///   - status: The status of the response. The default is 200.
    ///   - headers: Additional header fields. The default is none.
    ///   - source: The path of the source file. The default is the path of the calling file.
    /// - Returns: The response with the file's content.
    /// - Throws: An error that names the file and the files that exist, if the file can't be read.
    public static func fixture(
        _ path: String,
        type: String? = nil,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        source: StaticString = #filePath
    ) throws -> StubResponse {
        let folder = URL(fileURLWithPath: "\(source)").deletingLastPathComponent()
        return try fixture(at: folder.appendingPathComponent(path), type: type, status: status, headers: headers)
    }

    /// Responds with the content of a bundle's resource, such as `try .fixture("user.json", in: .module)`.
    public static func fixture(
        _ name: String,
        in bundle: Bundle,
        type: String? = nil,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) throws -> StubResponse {
        let folder = bundle.resourceURL ?? bundle.bundleURL
        return try fixture(at: folder.appendingPathComponent(name), type: type, status: status, headers: headers)
    }

    /// Responds with the content of the given file.
    public static func fixture(
        at url: URL,
        type: String? = nil,
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) throws -> StubResponse {
        guard let data = try? Data(contentsOf: url) else { throw MissingFixture(url) }
        let type = type ?? types[url.pathExtension.lowercased()] ?? "application/octet-stream"
        return content([.data(data)], type: type, status: status, headers: headers)
    }

    private static let types = [
        "json": "application/json", "xml": "application/xml", "txt": "text/plain; charset=utf-8",
        "html": "text/html; charset=utf-8", "csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
        "pdf": "application/pdf",
    ]
}

/// Reports a file that could not be read for a stubbed response.
struct MissingFixture: Error, CustomStringConvertible {
    let description: String

    init(_ url: URL) {
        let folder = url.deletingLastPathComponent()
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let neighbours: String
        switch names {
        case nil: neighbours = "the folder \(folder.path) does not exist"
        case []?: neighbours = "the folder \(folder.path) is empty"
        case let names?:
            let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
            neighbours = "the folder \(folder.path) has: \(shown)"
        }
        description = "the fixture \(url.lastPathComponent) can't be read; \(neighbours)"
    }
}
