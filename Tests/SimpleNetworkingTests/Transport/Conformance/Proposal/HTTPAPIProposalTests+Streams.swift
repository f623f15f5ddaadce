import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

// MARK: Content that is sent in pieces

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testEchoString(engine: Engine) async throws {
        try await play(on: engine) { try await expectEcho("Hello World", length: nil, engine) }
    }

    @Test(arguments: Engine.allCases)
    func testEcho1MBBody(engine: Engine) async throws {
        try await play(on: engine) {
            try await expectEcho(String(repeating: "A", count: 1_000_000), length: 1_000_000, engine)
        }
    }

    /// The proposal's case knows the length; without one, the last chunk is all there is to send.
    @Test(arguments: Engine.allCases)
    func testEmptyChunkedBody(engine: Engine) async throws {
        try await play(on: engine) {
            try await expectEcho("", length: 0, engine)
            try await expectEcho("", length: nil, engine)
        }
    }

    private func expectEcho(_ text: String, length: Int?, _ engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let chunks = BodyChunks { pieces(text.isEmpty ? [] : [text]) }
        let request = SimpleNetworking.post("/echo").body(chunks: chunks, length: length, contentType: .text)
        let response = try await client(engine, server).send(request)
        #expect(response.httpStatus == 200)
        #expect(response.text == text)
        #expect(server.requests.map(\.text) == [text])
    }

    private func pieces(_ texts: [String]) -> AsyncStream<Data> {
        AsyncStream { writer in
            for text in texts { writer.yield(Data(text.utf8)) }
            writer.finish()
        }
    }

    @Test(arguments: Engine.allCases)
    func testTrailerWrite(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { .mirror($0) }
            let trailers: HTTPHeaders = ["X-Request-Trailer-One": "first", "X-Request-Trailer-Two": "second"]
            let chunks = BodyChunks(trailers: { trailers }, { pieces(["Hello World"]) })
            let request = SimpleNetworking.post("/request").body(chunks: chunks, contentType: .text)
            let response = try await client(engine, server).send(request)
            #expect(response.httpStatus == 200)
            #expect(response.text == "Hello World")
            let lines = server.requests.flatMap(\.trailerLines)
            #expect(lines == ["X-Request-Trailer-One: first", "X-Request-Trailer-Two: second"])
        }
    }
}

// MARK: Content that arrives in pieces

extension HTTPAPIProposalTests {
    @Test(arguments: Engine.allCases)
    func testUnderRead(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .response(data: Data(repeating: 65, count: 1_000_000)) }
            var first: UInt8?
            for try await piece in try client(engine, server).bytes(for: SimpleNetworking.get("/1mb")) {
                first = piece.first
                break
            }
            #expect(first == 65)
        }
    }

    @Test(arguments: Engine.allCases)
    func testDripRead(engine: Engine) async throws {
        try await play(on: engine) {
            let data = Data(repeating: 65, count: 1_000_000)
            let server = try RawServer { _ in .response(data: data) }
            var bytes: [UInt8] = []
            for try await piece in try client(engine, server).bytes(for: SimpleNetworking.get("/1mb")) {
                for byte in piece { bytes.append(byte) }
            }
            #expect(Data(bytes) == data)
        }
    }

    @Test(arguments: Engine.allCases)
    func testTrailerRead(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in
                .chunked(["Response body"], trailers: ["X-Trailer-One: first", "X-Trailer-Two: second", "X-Sum: abc"])
            }
            let response = try await client(engine, server).send(SimpleNetworking.get("/trailers"))
            #expect(response.httpStatus == 200)
            #expect(response.text == "Response body")
            #expect(response.trailers == ["X-Trailer-One": "first", "X-Trailer-Two": "second", "X-Sum": "abc"])
        }
    }

    @Test(arguments: Engine.allCases)
    func testCancelPreHeaders(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try RawServer { _ in .silence }
            let client = try client(engine, server)
            let task = Task { try await client.send(SimpleNetworking.get("/stall")) }
            await server.wait(forRequests: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(arguments: Engine.allCases)
    func testCancelPreBody(engine: Engine) async throws {
        try await play(on: engine) {
            let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nAAA\r\n"
            let server = try RawServer { _ in .raw(reply, end: .silence) }
            let client = try client(engine, server)
            let hasHead = Gate()
            let task = Task {
                defer { hasHead.open() }
                let request = SimpleNetworking.get("/stall").deadline(patience(engine, .testCancelPreBody))
                var pieces = client.bytes(for: request).makeAsyncIterator()
                #expect(try await pieces.head()?.httpStatus == 200)
                hasHead.open()
                while let piece = try await pieces.next() { #expect(!piece.isEmpty) }
            }
            try await hasHead.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

// MARK: Content that is sent and arrives in turn

extension HTTPAPIProposalTests {
    /// The seconds after which a case is given up; few of them for what the engine is known not to do.
    private func patience(_ engine: Engine, _ row: ProposalCase) -> Double {
        row.deviation(of: engine) == nil ? 60 : 2
    }

    /// The client sends the next byte when the last one has come back.
    @Test(arguments: Engine.allCases)
    func testEchoInterleave(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try DuplexServer.echo()
            let limit = patience(engine, .testEchoInterleave)
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            writer.yield(Data("A".utf8))
            var count = 0
            for try await piece in try response(engine, of: server, to: pieces, within: limit) {
                #expect(piece == Data("A".utf8))
                count += 1
                if count == 1000 { writer.finish() } else { writer.yield(Data("A".utf8)) }
            }
            #expect(count == 1000)
        }
    }

    /// The server sends the next byte when the client has sent the last one back, and ends first.
    @Test(arguments: Engine.allCases)
    func testSpeakInterleave(engine: Engine) async throws {
        try await play(on: engine) {
            let server = try DuplexServer.speak(times: 1000)
            let limit = patience(engine, .testSpeakInterleave)
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            var count = 0
            for try await piece in try response(engine, of: server, to: pieces, within: limit) {
                #expect(piece == Data("A".utf8))
                count += 1
                writer.yield(piece)
            }
            writer.finish()
            #expect(count == 1000)
        }
    }

    private func response(
        _ engine: Engine,
        of server: DuplexServer,
        to pieces: AsyncStream<Data>,
        within limit: Double
    ) throws -> ResponseBytes {
        let transport = try engine.transport()
        let client = SimpleNetworking(baseURL: server.url) {
            $0.transport = transport
            $0.logger = .quiet
        }
        let request = SimpleNetworking.post("/").body(chunks: BodyChunks { pieces }, contentType: .text)
        return client.bytes(for: request.deadline(limit))
    }
}
