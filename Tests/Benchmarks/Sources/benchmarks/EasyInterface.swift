import CurlEasy

/// C with libcurl's easy interface, which waits on the calling thread; nothing is decoded.
struct EasyInterface: Client {
    let server: URL

    func run(_ budget: Budget) async throws {
        var count = 0
        while budget.take() { count += 1 }
        var durations = [UInt64](repeating: 0, count: count)
        guard curl_easy_get(server.absoluteString + budget.path, CInt(count), &durations) == 1 else {
            throw URLError(.badServerResponse)
        }
        for duration in durations { budget.record(duration) }
    }

    func content(at path: String) throws -> Int { throw URLError(.unsupportedURL) }

    func list(at path: String) throws -> Int { throw URLError(.unsupportedURL) }

    func save(_ path: String, to file: URL) -> Bool { false }
}
