/// Calls the engine under SimpleNetworking directly.
struct BareEngine: AwaitingClient {
    let transport: any Transport
    let server: URL

    func item(at path: String) async throws -> Item {
        try JSONDecoder().decode(Item.self, from: try await transport.send(request(path)).data)
    }

    func list(at path: String) async throws -> Int {
        try JSONDecoder().decode([Item].self, from: try await transport.send(request(path)).data).count
    }

    func content(at path: String) async throws -> Int { try await transport.send(request(path)).data.count }

    func save(_ path: String, to file: URL) async throws -> Bool {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var request = try request(path)
        request.sink = .stream { if case .content(let data) = $0 { try handle.write(contentsOf: data) } }
        _ = try await transport.send(request)
        try handle.close()
        return true
    }

    private func request(_ path: String) throws -> TransportRequest {
        guard let url = URL(string: server.absoluteString + path) else { throw URLError(.badURL) }
        return TransportRequest(head: RequestHead(url: url, headers: ["Accept": "application/json"]))
    }
}
