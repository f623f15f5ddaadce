/// URLSession, awaited.
struct SessionAwaiting: AwaitingClient {
    let session: URLSession
    let server: URL

    func item(at path: String) async throws -> Item {
        guard let request = URLRequest.forJSON(server, path) else { throw URLError(.badURL) }
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Item.self, from: data)
    }

    func list(at path: String) async throws -> Int {
        guard let request = URLRequest.forJSON(server, path) else { throw URLError(.badURL) }
        return try JSONDecoder().decode([Item].self, from: try await session.data(for: request).0).count
    }

    func content(at path: String) async throws -> Int {
        guard let request = URLRequest.forJSON(server, path) else { throw URLError(.badURL) }
        return try await session.data(for: request).0.count
    }

    func save(_ path: String, to file: URL) async throws -> Bool {
        guard let request = URLRequest.forJSON(server, path) else { throw URLError(.badURL) }
        let (saved, _) = try await session.download(for: request)
        try FileManager.default.moveItem(at: saved, to: file)
        return true
    }

    func close() { session.finishTasksAndInvalidate() }
}
