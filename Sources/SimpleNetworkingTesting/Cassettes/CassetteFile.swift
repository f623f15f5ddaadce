import Foundation
import SimpleNetworkingCore

/// A cassette's file: JSON with sorted keys, and files beside it for content that is large or not text.
struct CassetteFile {
    var exchanges: [CassetteExchange]
    /// Whether they were recorded above redirects, cookies and the cache, as version 1 did.
    var isAboveRedirects = false

    private struct Stored: Codable {
        struct Request: Codable {
            var method: String
            var url: String
            var headers: [String]
            var body: [String]?
        }

        struct Response: Codable {
            var status: Int
            var headers: [String]
            /// The trailer fields; nil for none.
            var trailers: [String]?
            /// The lines of text content, each with its line end.
            var body: [String]?
            /// The name of the file that contains the content.
            var file: String?
        }

        struct Failure: Codable {
            var kind: String
            var detail: String?
        }

        struct Exchange: Codable {
            var request: Request
            /// The interim responses; nil for none.
            var interim: [Response]?
            /// The response, or what had arrived of it before the failure.
            var response: Response?
            var failure: Failure?
            /// True for a request that began while an earlier one was in flight; nil for others.
            var concurrent: Bool?
        }

        var version: Int
        var exchanges: [Exchange]
    }

    /// The size above which content is stored in its own file.
    private static let limit = 32 << 10

    static func read(_ file: URL) throws -> CassetteFile {
        do {
            var data = try Data(contentsOf: file)
            if data.starts(with: [0xEF, 0xBB, 0xBF]) { data = Data(data.dropFirst(3)) }
            var read = try isArchive(file) ? archive(data) : cassette(data, file)
            if !read.isAboveRedirects { read.exchanges.loosenRedirects() }
            return read
        } catch {
            throw CassetteFailure(text: "the cassette \(file.path) can't be read: \(error)")
        }
    }

    private static func archive(_ data: Data) throws -> CassetteFile {
        let archive = try JSONDecoder().decode(HTTPArchive.self, from: data)
        return CassetteFile(exchanges: try archive.exchanges(), isAboveRedirects: archive.isAboveRedirects)
    }

    private static func cassette(_ data: Data, _ file: URL) throws -> CassetteFile {
        let stored = try JSONDecoder().decode(Stored.self, from: data)
        guard stored.version == 1 || stored.version == 2 else {
            throw CassetteFailure(text: "its version is \(stored.version), and not 1 or 2")
        }
        let exchanges = try stored.exchanges.map { try exchange($0, beside: file) }
        return CassetteFile(exchanges: exchanges, isAboveRedirects: stored.version == 1)
    }

    private static func isArchive(_ file: URL) -> Bool { file.pathExtension.lowercased() == "har" }

    private static func exchange(_ stored: Stored.Exchange, beside file: URL) throws -> CassetteExchange {
        let request = CassetteRequest(
            method: stored.request.method,
            url: stored.request.url,
            headers: stored.request.headers,
            body: stored.request.body?.joined()
        )
        let failure = stored.failure.map { NetworkFailure(.init(rawValue: $0.kind), detail: $0.detail) }
        let response = try stored.response.map { response in
            var content = Data((response.body ?? []).joined().utf8)
            if let name = response.file { content = try Self.content(named: name, beside: file) }
            return CassetteResponse(
                status: response.status,
                headers: headers(response.headers),
                content: content,
                trailers: headers(response.trailers ?? [])
            )
        }
        var exchange = CassetteExchange(request: request, response: response, failure: failure)
        exchange.interims = (stored.interim ?? []).map { .init(status: $0.status, headers: headers($0.headers)) }
        exchange.isConcurrent = stored.concurrent ?? false
        return exchange
    }

    /// Reads the content that a cassette names, which must not be any other file on this machine.
    private static func content(named name: String, beside file: URL) throws -> Data {
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        let content = folder.appendingPathComponent(name).resolvingSymlinksInPath()
        let leaves = name.hasPrefix("/") || name.split(separator: "/").contains("..")
        guard !leaves, content.path.hasPrefix(folder.path + "/") else {
            throw CassetteFailure(text: "its file “\(name)” is outside the cassette's folder")
        }
        return try Data(contentsOf: content)
    }

    static func headers(_ lines: [String]) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        for line in lines {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append(String(pair[0]), pair.count > 1 ? String(pair[1].drop { $0 == " " }) : "")
        }
        return headers
    }

    func write(_ file: URL) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        func put(_ value: some Encodable) throws {
            try (encoder.encode(value) + Data("\n".utf8)).write(to: file, options: .atomic)
        }
        if Self.isArchive(file) { return try put(HTTPArchive(exchanges, isAboveRedirects: isAboveRedirects)) }
        let stem = file.deletingPathExtension().lastPathComponent
        var names: Set<String> = []
        let stored = try exchanges.enumerated().map { index, exchange in
            try Self.stored(exchange) { content in
                let name = "\(stem)-\(index + 1).body"
                names.insert(name)
                try content.write(to: folder.appendingPathComponent(name), options: .atomic)
                return name
            }
        }
        try put(Stored(version: isAboveRedirects ? 1 : 2, exchanges: stored))
        // Files from an earlier recording.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(stem + "-") && name.hasSuffix(".body") && !names.contains(name) {
            // Other names belong to another cassette, such as users-admin.json beside users.json.
            guard name.dropFirst(stem.count + 1).dropLast(5).allSatisfy({ ("0"..."9").contains($0) }) else { continue }
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private static func stored(
        _ exchange: CassetteExchange,
        putBeside put: (Data) throws -> String
    ) throws -> Stored.Exchange {
        let request = exchange.request
        var stored = Stored.Exchange(
            request: Stored.Request(
                method: request.method,
                url: request.url,
                headers: request.headers,
                body: request.body.map(lines)
            )
        )
        stored.concurrent = exchange.isConcurrent ? true : nil
        stored.failure = exchange.failure.map { Stored.Failure(kind: $0.kind.rawValue, detail: $0.detail) }
        if !exchange.interims.isEmpty {
            stored.interim = exchange.interims.map { .init(status: $0.status, headers: lines(of: $0.headers)) }
        }
        guard let response = exchange.response else { return stored }
        stored.response = Stored.Response(
            status: response.status,
            headers: lines(of: response.headers),
            trailers: response.trailers.isEmpty ? nil : lines(of: response.trailers)
        )
        let text = String(data: response.content, encoding: .utf8)
        if let text, response.content.count <= limit, !text.utf8.contains(0), Data(text.utf8) == response.content {
            if !text.isEmpty { stored.response?.body = lines(of: text) }
        } else {
            stored.response?.file = try put(response.content)
        }
        return stored
    }

    private static func lines(of headers: HTTPHeaders) -> [String] { headers.map { "\($0.name): \($0.value)" } }

    /// Returns the lines of text, each with its line end, so that a changed line is one line in a diff.
    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var rest = Substring(text).utf8
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.index(after: end)
            lines.append(String(decoding: rest[..<next], as: UTF8.self))
            rest = rest[next...]
        }
        if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
        return lines
    }
}
