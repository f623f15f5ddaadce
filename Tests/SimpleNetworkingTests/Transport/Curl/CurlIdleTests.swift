#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

    /// What a server says on a connection while no request waits for a response (RFC 9112 §9.2).
    @Suite("CurlTransport, idle connections", .timeLimit(.minutes(5)))
    struct CurlIdleTests {
        @Test(arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "\r\n",
            String(repeating: "evil", count: 50_000),
        ])
        func whatComesUnaskedIsNoResponseToTheNextRequest(bytes: String) async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { request in
                guard request.path == "/first" else { return .response(body: "second") }
                let steps = RawServer.Reply.response(body: "first").steps
                return RawServer.Reply(steps + [.hold(latch), .send(Data(bytes.utf8))], end: .silence)
            }
            let transport = try curl()
            #expect(try await transport.get(server.url("/first")).text == "first")
            latch.open()
            await server.wait { $0.closed == 1 }
            #expect(try await transport.get(server.url("/second")).text == "second")
            #expect(server.log.opened == 2)
        }

        /// A response that is there as soon as the request is sent fills the buffer before libcurl has said which connection
        /// it uses: the server must be quick, and the reader slow.
        @Test
        func aSlowReadersKeptConnectionIsNotTakenForAnIdleOne() async throws {
            let data = Data(repeating: 1, count: 400_000)
            let server = try RawServer { _ in .response(data: data) }
            let transport = try curl()
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<200 {
                            var request = TransportRequest(head: RequestHead(url: server.url()))
                            let (received, pieces) = (Locked(0), Locked(0))
                            request.sink = .stream {
                                guard case .content(let data) = $0 else { return }
                                received.withLock { $0 += data.count }
                                // Long enough for the engine to hear of more content.
                                for _ in 0..<20 where pieces.withLock({ $0 < 3 }) { await Task.yield() }
                                pieces.withLock { $0 += 1 }
                            }
                            _ = try await transport.send(request)
                            #expect(received.withLock { $0 } == data.count)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test(arguments: ["close", "Close", "keep-alive, close"])
        func noRequestFollowsOneThatClosesItsConnection(value: String) async throws {
            let server = try RawServer { _ in .response(body: "ok") }
            let transport = try curl()
            for _ in 0..<3 { _ = try await transport.get(server.url(), headers: ["Connection": value]) }
            #expect(server.log.opened == 3)
            for _ in 0..<3 { _ = try await transport.get(server.url(), headers: ["Connection": "keep-alive"]) }
            #expect(server.log.opened == 4)
        }

        @Test(arguments: ["2\r\nContent-Length: 5", "5\r\nContent-Length: 2", "2, 5", "2x", "0x2", "2 2", "2;5"])
        func aResponseWithoutOneLengthIsNone(length: String) async throws {
            let text = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello"
            let server = try RawServer { _ in .raw(text) }
            let failure = await #expect(throws: NetworkFailure.self) { try await curl().get(server.url()) }
            #expect(failure?.kind == .malformedResponse)
        }

        @Test(arguments: [
            "5", "5\r\nContent-Length: 5", "5, 5", "5 ,5\r\ncontent-length:5", "9\r\nTransfer-Encoding: chunked",
        ])
        func aLengthMayBeRepeatedAndChunksNeedNone(length: String) async throws {
            let isChunked = length.contains("chunked")
            let content = isChunked ? "5\r\nhello\r\n0\r\n\r\n" : "hello"
            let server = try RawServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(content)") }
            #expect(try await curl().get(server.url()).text == "hello")
        }
    }
#endif
