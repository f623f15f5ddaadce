import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// The rules of a stub over a real socket.
@Suite(.timeLimit(.minutes(5)))
struct LoopbackServerTests {
    private let stub = StubTransport()

    @Test
    func rulesRespondAndRequestsAreRecordedAsWithoutASocket() async throws {
        stub.on(.post, "/users/{id}", where: [.query("a", "1"), .json(#"{"name": "Ada"}"#)]) { request in
            .json(#"{"id": \#(request.segments("/users/{id}")["id"] ?? "0")}"#, status: 201, headers: ["X-Two": "2"])
        }
        let server = try LoopbackServer(stub)
        let api = SimpleNetworking(of: server)
        for _ in 0..<3 {
            let request = SimpleNetworking.post("/users/7?a=1").body(json: ["name": "Ada"])
            let response = try await api.send(request)
            #expect(response.httpStatus == 201)
            #expect(response.json?["id"] as? Int == 7)
            #expect(response.headers["X-Two"] == "2")
        }
        try stub.expectRequest(.post, "/users/7", where: [.header("Content-Type", "application/json")], times: 3)
        try stub.verify()
    }

    @Test
    func aNamedPortIsTakenAgainAfterItsServerStoppedAndNotBefore() async throws {
        stub.on("/x", .text("hello"))
        let first = try LoopbackServer(stub)
        #expect { try LoopbackServer(stub, port: first.port) } throws: { "\($0)".contains("listen") }
        _ = try await SimpleNetworking(of: first).send(SimpleNetworking.get("/x"))
        first.stop()
        #expect(try LoopbackServer(stub, port: first.port).port == first.port)
    }

    /// URLSession on Linux has neither: a trailer ends the process there.
    #if canImport(CLibcurl) && os(Linux)
        @Test
        func trailersAndInterimResponsesGoOverTheWire() async throws {
            stub.on("/x", .text("hello").trailers(["X-Sum": "42"]).afterInterim(103, headers: ["Link": "</a>"]))
            let server = try LoopbackServer(stub)
            let request = SimpleNetworking.get("/x")
            let received = try await SimpleNetworking(of: server).send(request)
            #expect(received.text == "hello" && received.trailers["X-Sum"] == "42")
            #expect(request.trace.events.contains { if case .interim(103, _) = $0.kind { true } else { false } })
        }
    #endif

    @Test
    func piecesComeOverTheWireOneByOne() async throws {
        let gate = Gate()
        stub.on("/x", .pieces("one", .gate(gate), "two"))
        let server = try LoopbackServer(stub)
        var chunks = SimpleNetworking(of: server).bytes(for: SimpleNetworking.get("/x")).makeAsyncIterator()
        #expect(try await chunks.next() == Data("one".utf8))
        gate.open()
        #expect(try await chunks.next() == Data("two".utf8))
        #expect(try await chunks.next() == nil)
    }

    @Test(arguments: [
        StubResponse.text("1234").announcing(length: 10), .text("1234").cut(after: 2), .failure(.connectionLost),
        .pieces("12", .failure(.connectionLost)), .pieces("12", "34").cut(after: 3),
        .text("1234").cut(after: 4), .text("1234").cut(after: 9), .text("1234").announcing(length: -1),
    ])
    func brokenResponsesBreakTheConnection(response: StubResponse) async throws {
        stub.on("/x", response)
        let server = try LoopbackServer(stub)
        guard case .networkingError? = await SimpleNetworking(of: server).get("/x").ended().error else {
            throw "it was complete".asError
        }
    }

    @Test
    func headAndEmptyResponsesKeepTheConnection() async throws {
        stub.on(.head, "/x", .text("body")).on(.get, "/empty", .status(204)).on(.get, "/x", .text("body"))
            .on(.get, "/gone", .redirect(to: "/x"))
        let server = try LoopbackServer(stub)
        let api = SimpleNetworking(of: server)
        #expect(try await api.send(SimpleNetworking.head("/x")).headers["Content-Length"] == "4")
        #expect(try await api.send(SimpleNetworking.get("/empty")).httpStatus == 204)
        #expect(try await api.send(SimpleNetworking.get("/gone")).text == "body")
    }

    /// Sends text over a plain socket, and reads until the server closes.
    private func received(_ text: String, from server: LoopbackServer) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let socket = Socket.connected(to: server.port)
                _ = Socket.send(Data(text.utf8), to: socket)
                var reply = Data()
                while Socket.isReadable(socket, within: 60), let more = Socket.receive(from: socket) { reply += more }
                Socket.close(socket)
                continuation.resume(returning: String(decoding: reply, as: UTF8.self))
            }
        }
    }

    /// The server closes, so that all it sends can be read up to the end.
    @Test(arguments: [
        ("HTTP/1.0", "", "one"), ("HTTP/1.1", "Connection: close\r\n", "one"), ("HTTP/1.1", "", "two"),
    ])
    func theConnectionEndsAsAsked(version: String, field: String, path: String) async throws {
        stub.on("/one", .pieces("12", "34")).on("/two", .text("1234", headers: ["Connection": "close"]))
        let server = try LoopbackServer(stub)
        let text = await received("GET /\(path) \(version)\r\n\(field)\r\n", from: server)
        let isChunked = text.contains("Transfer-Encoding: chunked")
        #expect(isChunked == (version == "HTTP/1.1" && path == "one"))
        #expect(text.hasSuffix(isChunked ? "0\r\n\r\n" : "\r\n\r\n1234"))
        #expect(text.components(separatedBy: "Connection: close").count == 2)
    }

    @Test
    func uploadsArriveWhole() async throws {
        stub.on(.put, "/x", .status(204))
        let server = try LoopbackServer(stub)
        let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = try ScratchFile(body)
        let api = SimpleNetworking(of: server)
        _ = try await api.send(SimpleNetworking.put("/x").body(file: file.url, contentType: .octetStream))
        _ = try await api.send(SimpleNetworking.put("/x").body(multipart: Multipart().data("a", body)))
        #expect(stub.requests.first?.content == body)
        #expect(stub.requests.last?.multipart?.first?.data == body)
    }

    @Test
    func requestWithoutARuleGetsTheReasonAsItsResponse() async throws {
        stub.on(.get, "/x", .status(204))
        let server = try LoopbackServer(stub)
        guard case .serverError(let response)? = await SimpleNetworking(of: server).get("/y").ended().error else {
            throw "it was served".asError
        }
        #expect(response.httpStatus == 501)
        #expect(response.text?.contains("path    /x   ≠ /y") == true)
        #expect(throws: (any Error).self) { try stub.verify() }
    }

    @Test
    func silentResponseEndsWithTheServer() async throws {
        stub.on("/x", .silence)
        let server = try LoopbackServer(stub)
        let request = SimpleNetworking(of: server).get("/x")
        try await eventually { stub.waits == ["GET /x never gets a response"] }
        server.stop()
        guard case .networkingError? = await request.ended().error else { throw "it got a response".asError }
        try await eventually { stub.waits == [] }
    }
}
