#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingTesting
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, sending while it receives", .timeLimit(.minutes(2)))
    struct CurlDuplexTests {
        /// Each piece is made of the response to the one before.
        @Test
        func aHundredPiecesAreSentAndEchoedInTurn() async throws {
            let server = try EchoServer()
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

        /// The sequence has no further piece to give, and would keep the transfer.
        @Test
        func aReaderThatLeavesCancelsTheSequence() async throws {
            let server = try EchoServer()
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

    /// Sends the chunks of one request's content back as they arrive, framing and all.
    private final class EchoServer: Sendable {
        let url: URL
        private let listener: Int32

        init() throws {
            let (listener, port) = try Socket.listening()
            self.listener = listener
            url = try #require(URL(string: "http://127.0.0.1:\(port)"))
            Thread.detachNewThread {
                guard let socket = Socket.accepted(from: listener) else { return }
                defer { Socket.close(socket) }
                var head = Data()
                let mark = Data("\r\n\r\n".utf8)
                while head.range(of: mark) == nil, let more = Socket.receive(from: socket) { head += more }
                guard let end = head.range(of: mark)?.upperBound else { return }
                let start = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                var content: Data? = start + head[end...]
                while let piece = content, Socket.send(piece, to: socket) { content = Socket.receive(from: socket) }
            }
        }

        deinit { Socket.close(listener) }
    }
#endif
