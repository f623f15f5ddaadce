import SimpleNetworkingTransfers

#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, sending while it receives", .timeLimit(.minutes(2)))
    struct CurlDuplexTests {
        /// Each piece is made of the response to the one before.
        @Test
        func aHundredPiecesAreSentAndEchoedInTurn() async throws {
            let server = try DuplexServer.echo()
            let transport = try curl()
            let client = SimpleNetworking(baseURL: server.url) { $0.transport = transport }
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            let request = SimpleNetworking.post("/echo").body(chunks: BodyChunks { pieces }, contentType: .text)
            writer.yield(Data("1\n".utf8))
            var numbers: [Int] = []
            for try await line in client.lines(for: request) {
                let number = try #require(Int(line))
                numbers.append(number)
                if number == 100 { writer.finish() } else { writer.yield(Data("\(number + 1)\n".utf8)) }
            }
            #expect(numbers == Array(1...100))
        }

        /// The response ends when the request's content has: a client that waited for its end would wait in vain.
        @Test
        func theClientEndsItsContentFirst() async throws {
            let server = try DuplexServer.speak(times: 100)
            let transport = try curl()
            let client = SimpleNetworking(baseURL: server.url) { $0.transport = transport }
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            let request = SimpleNetworking.post("/").body(chunks: BodyChunks { pieces }, contentType: .text)
            var count = 0
            for try await piece in client.bytes(for: request) {
                #expect(piece == Data("A".utf8))
                count += 1
                writer.yield(piece)
                if count == 100 { writer.finish() }
            }
            #expect(count == 100)
        }

        /// The sequence waits for something that the response would tell.
        @Test(arguments: ["", "Connection: close\r\n"], [401, 413, 500])
        func anErrorEndsARequestWhoseContentIsStalled(field: String, status: Int) async throws {
            for hasBegun in [true, false] { try await stall(field, status, hasBegun: hasBegun) }
        }

        private func stall(_ field: String, _ status: Int, hasBegun: Bool) async throws {
            let server = try DuplexServer.reply("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n\(field)\r\nno")
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            if hasBegun { writer.yield(Data("begun".utf8)) }
            let body = RequestBody.chunks(length: nil, BodyChunks { pieces })
            let transport = try curl()
            let response = try await withinSeconds(120) {
                try await transport.get(server.url, method: .post, body: body)
            }
            #expect(response.httpStatus == status && response.text == "no")
            writer.finish()
        }

        /// The sequence has no further piece to give, and would keep the transfer.
        @Test
        func aReaderThatLeavesCancelsTheSequence() async throws {
            let server = try DuplexServer.echo()
            let transport = try curl()
            let client = SimpleNetworking(baseURL: server.url) { $0.transport = transport }
            let ended = Gate()
            let (pieces, writer) = AsyncStream.makeStream(of: Data.self)
            writer.onTermination = { _ in ended.open() }
            writer.yield(Data("1\n".utf8))
            let request = SimpleNetworking.post("/echo").body(chunks: BodyChunks { pieces }, contentType: .text)
            for try await line in client.lines(for: request) {
                #expect(line == "1")
                break
            }
            try await ended.wait()
        }
    }
#endif
