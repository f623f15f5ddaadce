import Foundation
import Testing

@testable import SimpleNetworking

/// What the conformance cases of apple/swift-http-api-proposal ask of a client, each under its name there.
///
/// EchoInterleave and SpeakInterleave are in `CurlDuplexTests`, TrailerRead in `CurlTrailerTests`, TrailerWrite in
/// `EngineChunkTests`: URLSession has none of these.
@Suite("Every engine: the official client's cases", .timeLimit(.minutes(2)))
struct OfficialBehaviorTests {
    struct RawCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lines: [String]
        /// nil if it has to fail.
        let status: Int?
        let text: String
        let limitation: Limitation?

        init(_ name: String, _ lines: [String], _ status: Int?, _ text: String = "", unless: Limitation? = nil) {
            (testDescription, self.lines, self.status, self.text, limitation) = (name, lines, status, text, unless)
        }
    }

    static let rawCases = [
        RawCase("NotHTTP", ["FOOBAR"], nil),
        RawCase("BadHTTPCase", ["Http/1.1 200 OK", "Connection: close", "", ""], nil),
        RawCase("NoReason", ["HTTP/1.1 200", "Connection: close", "", ""], 200, unless: .statusesWithoutReason),
        RawCase("204WithContentLength", ["HTTP/1.1 204 No Content", "Content-Length: 1000", "", ""], 204),
        RawCase("304WithContentLength", ["HTTP/1.1 304 Not Modified", "Content-Length: 1000", "", ""], 304),
        RawCase("IncompleteBody", ["HTTP/1.1 200 OK", "Content-Length: 1000", "", "1234"], nil),
        RawCase("ConflictingContentLength", ["HTTP/1.1 200 OK", "Content-Length: 10, 4", "", "1234"], nil),
        RawCase("NoLengthHint", ["HTTP/1.1 200 OK", "Connection: close", "", "1234"], 200, "1234"),
        RawCase("StatusOutOfRangeButValid", ["HTTP/1.1 999 Odd", "Content-Length: 0", "", ""], 999),
        RawCase("NotFound", ["HTTP/1.1 404 Not Found", "Content-Length: 0", "", ""], 404),
    ]

    @Test(arguments: Engine.allCases, rawCases)
    func rawReplies(engine: Engine, row: RawCase) async throws {
        if let limitation = row.limitation, engine.lacks(limitation) { return }
        // Foundation on Linux reads the version in any case.
        if row.testDescription == "BadHTTPCase", Engine.sessions.contains(engine) { return }
        let server = try RawServer { _ in .raw(row.lines.joined(separator: "\r\n")) }
        let transport = try engine.transport()
        guard let status = row.status else {
            await #expect(throws: (any Error).self) { try await transport.get(server.url()) }
            return
        }
        let response = try await transport.get(server.url())
        #expect(response.httpStatus == status && response.text == row.text)
    }

    @Test(arguments: Engine.allCases, [HTTPMethod.head, .get, .put, .post, .delete])
    func ok(engine: Engine, method: HTTPMethod) async throws {
        let server = try RawServer { .response(headers: ["X-Method": $0.method], body: "ok") }
        let response = try await engine.client(server).send(SimpleRequest(method, path: "/200"))
        #expect(response.httpStatus == 200 && response.headers["X-Method"] == method.rawValue)
        #expect(response.text == (method == .head ? "" : "ok") && response.trailers.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func headWithContentLength(engine: Engine) async throws {
        let server = try RawServer { _ in .response(body: "1234") }
        let response = try await engine.client(server).send(SimpleNetworking.head("/"))
        #expect(response.headers["Content-Length"] == "4" && response.data.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func emptyChunkedBody(engine: Engine) async throws {
        let server = try RawServer { _ in .chunked([]) }
        #expect(try await engine.client(server).send(SimpleNetworking.get("/")).data.isEmpty)
    }

    @Test(arguments: Engine.allCases, ["Hello World", String(repeating: "x", count: 1 << 20)])
    func echo(engine: Engine, text: String) async throws {
        let server = try RawServer { .mirror($0) }
        let request = SimpleNetworking.post("/echo").body(text: text)
        #expect(try await engine.client(server).send(request).text == text)
    }

    @Test(arguments: Engine.allCases)
    func multiValueHeaders(engine: Engine) async throws {
        let server = try RawServer { request in
            .response(headers: ["X-List": "a", "X-List": "b", "X-Sent": request[header: "X-Mine"] ?? "none"])
        }
        let headers: HTTPHeaders = ["X-Mine": "1", "X-Mine": "2"]
        let response = try await engine.transport().get(server.url(), headers: headers)
        #expect(response.headers["X-List"] == "a, b" && response.headers["X-Sent"]?.filter { $0 != " " } == "1,2")
    }

    @Test(arguments: Engine.allCases)
    func emptyHeaderValueAndURLParams(engine: Engine) async throws {
        let server = try RawServer { .response(body: "\($0.target) \($0.headerLines.contains("X-Empty:"))") }
        let request = SimpleNetworking.get("/params", query: [("foo", "bar"), ("a", "b c")]).header("X-Empty", "")
        let text = try await engine.client(server).send(request).text ?? ""
        #expect(text == "/params?foo=bar&a=b%20c true")
    }

    @Test(arguments: Engine.allCases)
    func infiniteRedirect(engine: Engine) async throws {
        let server = try RawServer { _ in .redirect(to: "/again", status: 308) }
        await #expect(throws: SimpleNetworkingError.self) {
            try await engine.client(server).send(SimpleNetworking.get("/"))
        }
        #expect(server.requests.count == 21)
    }

    @Test(arguments: Engine.allCases)
    func stress(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let client = try engine.client(server)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask { try await client.send(SimpleNetworking.post("/echo").body(text: "\(number)")).text }
            }
            return try await group.reduce(into: Set<String>()) { if let text = $1 { $0.insert(text) } }
        }
        #expect(texts.count == 100)
    }

    @Test(arguments: Engine.allCases)
    func eTag(engine: Engine) async throws {
        let server = try RawServer { request in
            guard request[header: "If-None-Match"] != #""v1""# else { return .response(status: 304) }
            return .response(headers: ["ETag": #""v1""#, "Cache-Control": "no-cache"], body: "stored")
        }
        let client = try engine.client(server) { $0.cache = ResponseCache() }
        for _ in 0..<2 { #expect(try await client.send(SimpleNetworking.get("/etag")).text == "stored") }
        #expect(server.requests.map { $0[header: "If-None-Match"] } == [nil, #""v1""#])
    }

    @Test(arguments: Engine.allCases)
    func basicCookieSetAndUse(engine: Engine) async throws {
        let server = try RawServer { request in
            .response(headers: ["Set-Cookie": "id=7; Path=/"], body: request[header: "Cookie"] ?? "none")
        }
        let client = try engine.client(server) { $0.cookieJar = CookieJar() }
        #expect(try await client.send(SimpleNetworking.get("/cookie")).text == "none")
        #expect(try await client.send(SimpleNetworking.get("/cookie")).text == "id=7")
    }

    @Test(arguments: Engine.allCases)
    func underReadAndDripRead(engine: Engine) async throws {
        let server = try RawServer { _ in .response(data: Data(repeating: 1, count: 1_000_000)) }
        let client = try engine.client(server)
        for try await piece in client.bytes(for: SimpleNetworking.get("/")) {
            #expect(!piece.isEmpty)
            break
        }
        var count = 0
        for try await piece in client.bytes(for: SimpleNetworking.get("/")) { count += piece.count }
        #expect(count == 1_000_000)
    }

    @Test(arguments: Engine.allCases, [true, false])
    func cancelBeforeHeadersOrBody(engine: Engine, hasHead: Bool) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n".utf8)
            return RawServer.Reply((hasHead ? [.send(head)] : []) + [.hold(latch)], end: .close)
        }
        let client = try engine.client(server)
        let task = Task { try await client.send(SimpleNetworking.get("/")) }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        latch.open()
    }
}
