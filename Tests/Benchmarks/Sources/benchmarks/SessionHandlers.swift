/// URLSession, with completion handlers.
struct SessionHandlers: HandlerClient {
    let session: URLSession
    let server: URL

    func item(at path: String, then done: @escaping @Sendable (Result<Item, any Error>) -> Void) {
        guard let request = URLRequest.forJSON(server, path) else { return done(.failure(URLError(.badURL))) }
        session.dataTask(with: request) { data, response, error in
            done(
                Result {
                    if let error { throw error }
                    guard let data, (response as? HTTPURLResponse)?.statusCode == 200 else {
                        throw URLError(.badServerResponse)
                    }
                    return try JSONDecoder().decode(Item.self, from: data)
                }
            )
        }.resume()
    }

    func list(at path: String) async throws -> Int {
        try JSONDecoder().decode([Item].self, from: try await data(at: path)).count
    }

    func content(at path: String, then done: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        data(at: path) { done($0.map(\.count)) }
    }

    private func data(at path: String) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            data(at: path) { continuation.resume(with: $0) }
        }
    }

    private func data(at path: String, then done: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        guard let request = URLRequest.forJSON(server, path) else { return done(.failure(URLError(.badURL))) }
        session.dataTask(with: request) { data, _, error in
            done(
                Result {
                    if let error { throw error }
                    return data ?? Data()
                }
            )
        }.resume()
    }

    func save(_ path: String, to file: URL) async throws -> Bool {
        guard let request = URLRequest.forJSON(server, path) else { throw URLError(.badURL) }
        return try await withCheckedThrowingContinuation { continuation in
            session.downloadTask(with: request) { saved, _, error in
                continuation.resume(
                    with: Result {
                        guard let saved else { throw error ?? URLError(.cannotCreateFile) }
                        try FileManager.default.moveItem(at: saved, to: file)
                        return true
                    }
                )
            }.resume()
        }
    }

    func close() { session.finishTasksAndInvalidate() }
}

extension URLRequest {
    /// A GET request for JSON.
    static func forJSON(_ server: URL, _ path: String) -> URLRequest? {
        guard let url = URL(string: server.absoluteString + path) else { return nil }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }
}
