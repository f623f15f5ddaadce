import Foundation
import SimpleNetworkingTesting

@testable import SimpleNetworking

/// A server, a cache, a client and a time that passes when a test says so.
final class CachedWorld: Sendable {
    /// What became of a request.
    enum End: String, Sendable {
        /// It was answered from the cache.
        case hit
        /// The server was asked whether the stored answer still holds, and it did.
        case confirmed
        /// The server sent the whole answer.
        case fetched
        /// The cache had nothing, and nobody else was asked.
        case notCached
        case failed
    }

    /// Fri, 15 Jan 2027 08:00:00 GMT.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let server = StubTransport()
    let cache: ResponseCache
    let client: SimpleNetworking
    private let time: Mutexed<Date>

    init(
        folder: URL? = nil,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        let time = Mutexed(Self.start)
        let cache = ResponseCache(folder: folder, memoryLimit: memoryLimit, diskLimit: diskLimit) {
            time.withLock { $0 }
        }
        let server = server
        client = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.cache = cache
            $0.logger = .silent
            configure(&$0)
        }
        self.cache = cache
        self.time = time
    }

    func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    /// Answers every request with a status and these fields, and a body that counts; 304 to what asks for it.
    func answer(_ headers: HTTPHeaders, status: Int = 200, confirming: HTTPHeaders = [:]) {
        let count = Mutexed(0)
        server.on("*") { request in
            if request.headers.contains("If-None-Match") || request.headers.contains("If-Modified-Since") {
                return StubResponse(status: 304, headers: confirming)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return StubResponse(status: status, headers: headers, body: Data("\(number)".utf8))
        }
    }

    @discardableResult
    func send(
        _ method: HTTPMethod = .get,
        _ path: String = "/x",
        _ headers: HTTPHeaders = [:],
        _ policy: CachePolicy? = nil
    ) async -> (end: End, response: SimpleResponse?) {
        let request = SimpleRequest(method, path: path)
        for field in headers { request.header(field.name, field.value) }
        if let policy { request.cachePolicy(policy) }
        let before = server.requests.count
        let outcome = await request.execute(on: client).ended()
        let steps = request.trace.events.compactMap { event in
            if case .cache(let step) = event.kind { step } else { nil }
        }
        let response = outcome.value ?? outcome.error?.response
        if case .notCached? = outcome.error { return (server.requests.count == before ? .notCached : .failed, nil) }
        if steps.contains(.hit) { return (server.requests.count == before ? .hit : .failed, response) }
        if steps.contains(.confirmed) { return (.confirmed, response) }
        return (response == nil || server.requests.count == before ? .failed : .fetched, response)
    }

    func end(
        _ method: HTTPMethod = .get,
        _ path: String = "/x",
        _ headers: HTTPHeaders = [:],
        _ policy: CachePolicy? = nil
    ) async -> End { await send(method, path, headers, policy).end }
}

extension HTTPHeaders {
    /// Reads `Name: value` lines, separated by “ | ”.
    init(lines text: String) {
        self.init()
        for line in text.components(separatedBy: " | ") where !line.isEmpty {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            append(String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
    }
}
