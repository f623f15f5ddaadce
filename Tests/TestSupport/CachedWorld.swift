import Foundation
import SimpleNetworkingCaching
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// A server, a cache, a client and a clock that a test advances.
package final class CachedWorld: Sendable {
    /// How a request was served.
    package enum End: String, Sendable {
        /// It was served from the cache.
        case hit
        /// The server validated the stored response.
        case revalidated
        /// The server sent the whole response.
        case fetched
        /// The cache had nothing, and nothing was sent.
        case notCached
        case failed
    }

    /// Fri, 15 Jan 2027 08:00:00 GMT.
    package static let start = Date(timeIntervalSince1970: 1_800_000_000)

    package let server = StubTransport()
    package let cache: ResponseCache
    package let client: SimpleNetworking
    private let time: Locked<Date>

    package init(
        folder: URL? = nil,
        memoryLimit: Int = 4 << 20,
        diskLimit: Int = 20 << 20,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        let time = Locked(Self.start)
        let cache = ResponseCache(folder: folder, memoryLimit: memoryLimit, diskLimit: diskLimit) {
            time.withLock { $0 }
        }
        let server = server
        client = SimpleNetworking(over: server) {
            $0.cache = cache
            configure(&$0)
        }
        self.cache = cache
        self.time = time
    }

    package func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    /// Responds to each request with a status, these fields and a body that counts, or with 304 to a conditional one.
    package func reply(_ headers: HTTPHeaders, status: Int = 200, validating: HTTPHeaders = [:]) {
        let count = Locked(0)
        server.on("*") { request in
            if request.headers.contains("If-None-Match") || request.headers.contains("If-Modified-Since") {
                return StubResponse(status: 304, headers: validating)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return StubResponse(status: status, headers: headers, body: Data("\(number)".utf8))
        }
    }

    @discardableResult
    package func send(
        _ method: HTTPMethod = .get,
        _ path: String = "/x",
        _ headers: HTTPHeaders = [:],
        _ policy: CachePolicy? = nil
    ) async -> (end: End, response: SimpleResponse?) {
        let request = SimpleNetworking.request(method, path: path)
        for field in headers { request.header(field.name, field.value) }
        if let policy { request.cachePolicy(policy) }
        let before = server.requests.count
        let outcome = await request.execute(on: client).ended()
        let steps = request.trace.events.compactMap { event in
            if case .note(let step as CacheStep) = event.kind { step } else { nil }
        }
        let response = outcome.value ?? outcome.error?.response
        if case .notCached? = outcome.error { return (server.requests.count == before ? .notCached : .failed, nil) }
        if steps.contains(.hit) { return (server.requests.count == before ? .hit : .failed, response) }
        if steps.contains(.revalidated) { return (.revalidated, response) }
        return (response == nil || server.requests.count == before ? .failed : .fetched, response)
    }

    package func end(
        _ method: HTTPMethod = .get,
        _ path: String = "/x",
        _ headers: HTTPHeaders = [:],
        _ policy: CachePolicy? = nil
    ) async -> End { await send(method, path, headers, policy).end }
}

extension HTTPHeaders {
    /// Reads `Name: value` lines, separated by “ | ”.
    package init(lines text: String) {
        self.init(fields: [])
        for line in text.components(separatedBy: " | ") where !line.isEmpty {
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            append(String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
    }
}
