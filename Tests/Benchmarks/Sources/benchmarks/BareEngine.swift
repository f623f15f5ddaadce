/// The engine under SimpleNetworking, asked directly.
struct BareEngine: AwaitingClient {
    let transport: any Transport
    let server: URL

    func item(at path: String) async throws -> Item {
        try JSONDecoder().decode(Item.self, from: try await transport.send(request(path)).body)
    }

    func content(at path: String) async throws -> Int { try await transport.send(request(path)).body.count }

    func save(_ path: String, to file: URL) async throws -> Bool {
        guard !(transport is URLSessionTransport) else { return false }
        var request = try request(path)
        request.sink = .file(file)
        _ = try await transport.send(request)
        return true
    }

    private func request(_ path: String) throws -> TransportRequest {
        guard let url = URL(string: server.absoluteString + path) else { throw URLError(.badURL) }
        return TransportRequest(head: RequestHead(url: url, headers: ["Accept": "application/json"]))
    }
}
