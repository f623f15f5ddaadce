/// SimpleNetworking, with handlers.
struct SimpleHandlers: HandlerClient {
    let client: SimpleNetworking

    func item(at path: String, then done: @escaping @Sendable (Result<Item, any Error>) -> Void) {
        client.get(path) { request in
            request
                .on(success: { response in done(Result { try response.decode() }) })
                .on(error: { error in done(.failure(error)) })
        }
    }

    func list(at path: String) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            client.get(path) { request in
                request.on(completion: { result in
                    continuation.resume(with: Result { try result.get().decode([Item].self).count })
                })
            }
        }
    }

    func content(at path: String, then done: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        client.get(path) { request in
            request
                .on(success: { response in done(.success(response.data.count)) })
                .on(error: { error in done(.failure(error)) })
        }
    }

    func save(_ path: String, to file: URL) -> Bool { false }
}
