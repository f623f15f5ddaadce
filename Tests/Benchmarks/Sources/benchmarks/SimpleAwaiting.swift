/// SimpleNetworking, awaited.
struct SimpleAwaiting: AwaitingClient {
    let client: SimpleNetworking

    func item(at path: String) async throws -> Item { try await client.send(SimpleNetworking.get(path)).decode() }

    func list(at path: String) async throws -> Int {
        try await client.send(SimpleNetworking.get(path)).decode([Item].self).count
    }

    func content(at path: String) async throws -> Int {
        try await client.send(SimpleNetworking.get(path)).data.count
    }

    func save(_ path: String, to file: URL) -> Bool { false }
}
