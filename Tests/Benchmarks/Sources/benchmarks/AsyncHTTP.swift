import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// async-http-client, awaited.
struct AsyncHTTP: AwaitingClient {
    private let client: HTTPClient
    private let server: String

    /// Has as many connections as it has by itself if no number is given.
    init(_ server: URL, connections: Int?) {
        var configuration = HTTPClient.Configuration()
        if let connections {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        }
        if let file = Authority.file {
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .file(file)
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.server = server.absoluteString
    }

    func item(at path: String) async throws -> Item {
        let body = try await body(of: path, limit: 1 << 20)
        return try JSONDecoder().decode(Item.self, from: Data(body.readableBytesView))
    }

    func list(at path: String) async throws -> Int {
        let body = try await body(of: path, limit: 1 << 24)
        return try JSONDecoder().decode([Item].self, from: Data(body.readableBytesView)).count
    }

    func content(at path: String) async throws -> Int { try await body(of: path, limit: 1 << 30).readableBytes }

    func save(_ path: String, to file: URL) async throws -> Bool {
        let request = try HTTPClient.Request(url: server + path)
        let delegate = try FileDownloadDelegate(path: file.path)
        _ = try await client.execute(request: request, delegate: delegate).get()
        return true
    }

    func close() async throws { try await client.shutdown() }

    private func body(of path: String, limit: Int) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: server + path)
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: .seconds(60))
        guard response.status == .ok else { throw URLError(.badServerResponse) }
        return try await response.body.collect(upTo: limit)
    }
}
