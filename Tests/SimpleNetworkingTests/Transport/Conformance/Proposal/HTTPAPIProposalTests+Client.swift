import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

// MARK: Redirects, cookies and the cache

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testBasicRedirect(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { request in
                request.path == "/request"
                    ? .response(body: "arrived")
                    : .redirect(to: "/request", status: request.path == "/301" ? 301 : 308)
            }
            let client = try client(engine, server)
            for path in ["/301", "/308"] {
                let response = try await client.send(SimpleNetworking.get(path))
                #expect(response.httpStatus == 200)
                #expect(response.text == "arrived")
            }
            #expect(server.requests.map(\.path) == ["/301", "/request", "/308", "/request"])
            #expect(server.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
        }
    }

    @Test(arguments: Engine.allCases)
    func testInfiniteRedirect(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { .redirect(to: $0.path == "/ping" ? "/pong" : "/ping", status: 301) }
            let client = try client(engine, server)
            await #expect(throws: SimpleNetworkingError.self) { try await client.send(SimpleNetworking.get("/ping")) }
        }
    }

    @Test(arguments: Engine.allCases)
    func testBasicCookieSetAndUse(engine: Engine) async throws {
        try await play(on: engine) {
            let cookie = "foo=\(UUID().uuidString)"
            let server = try RawServer { _ in .response(headers: ["Set-Cookie": cookie]) }
            let client = try engine.client(server, jar: CookieJar())
            let response = try await client.send(SimpleNetworking.get("/cookie"))
            #expect(response.headers.values(for: "Set-Cookie") == [cookie])
            _ = try await client.send(SimpleNetworking.get("/request"))
            #expect(server.requests.map { $0[header: "Cookie"] } == [nil, cookie])
        }
    }

    /// The server replaces the content whenever the client has validated it.
    @Test(arguments: Engine.allCases)
    func testETag(engine: Engine) async throws {
        try await play(on: engine) {
            let validated = Locked(0)
            let server = try RawServer { request in
                validated.withLock { number in
                    let tag = "\(number)"
                    guard request[header: "If-None-Match"] == tag else {
                        return .response(headers: ["ETag": tag, "Cached": "false"], body: tag)
                    }
                    number += 1
                    return .response(status: 304, headers: ["ETag": tag, "Cached": "true"])
                }
            }
            let client = try engine.client(server) { $0.cache = ResponseCache() }
            for number in 0..<3 {
                for isCached in ["false", "true"] {
                    let response = try await client.send(SimpleNetworking.get("/etag"))
                    #expect(response.httpStatus == 200)
                    #expect(response.headers["ETag"] == "\(number)")
                    #expect(response.headers["Cached"] == isCached)
                    #expect(response.text == "\(number)")
                }
            }
            #expect(server.requests.map { $0[header: "If-None-Match"] } == [nil, "0", "0", "1", "1", "2"])
        }
    }
}

// MARK: Content codings

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testGzip(engine: Engine) async throws {
        try await play(on: engine) { try await expectDecoded(.gzip, engine) }
    }

    @Test(arguments: Engine.allCases)
    func testDeflate(engine: Engine) async throws {
        try await play(on: engine) { try await expectDecoded(.deflate, engine) }
    }

    @Test(arguments: Engine.allCases)
    func testBrotli(engine: Engine) async throws {
        try await play(on: engine) { try await expectDecoded(.brotli, engine) }
    }

    /// The server sends plain content to clients that don't accept the coding.
    private func expectDecoded(_ content: CodedContent, _ engine: Engine) async throws {
        let server = try RawServer { request in
            guard request[header: "Accept-Encoding"]?.contains(content.coding) == true else {
                return .response(data: CodedContent.plain)
            }
            return .response(headers: ["Content-Encoding": content.coding], data: content.data)
        }
        let response = try await client(engine, server).send(SimpleNetworking.get("/\(content.coding)"))
        #expect(response.httpStatus == 200)
        #expect(response.headers["Content-Encoding"] == content.coding)
        #expect(response.data == CodedContent.plain)
    }

    @Test(arguments: Engine.allCases)
    func testIdentity(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response(body: "TEST\n") }
            let response = try await client(engine, server).send(SimpleNetworking.get("/identity"))
            #expect(response.httpStatus == 200)
            #expect(response.headers["Content-Encoding"] == nil)
            #expect(response.text == "TEST\n")
        }
    }
}
