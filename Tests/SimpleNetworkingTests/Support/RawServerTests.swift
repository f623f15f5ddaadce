import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("RawServer", .timeLimit(.minutes(5)))
struct RawServerTests {
    /// Sends text over a plain socket and reads until the server closes or falls silent.
    private func exchange(_ server: RawServer, _ text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let socket = Socket.connected(to: server.port)
                _ = Socket.send(Data(text.utf8), to: socket)
                var reply = Data()
                while Socket.isReadable(socket, within: 0.3), let more = Socket.receive(from: socket) { reply += more }
                Socket.close(socket)
                continuation.resume(returning: String(decoding: reply, as: UTF8.self))
            }
        }
    }

    @Test
    func twoRequestsShareAConnection() async throws {
        let server = try RawServer { .response(body: $0.path) }
        let reply = await exchange(server, "GET /a HTTP/1.1\r\n\r\nGET /b?x=1 HTTP/1.1\r\nX: y\r\n\r\n")
        #expect(reply.contains("\r\n\r\n/aHTTP/1.1 200"))
        #expect(reply.hasSuffix("/b"))
        #expect(server.requests.map(\.connection) == [1, 1])
        #expect(server.requests.map(\.earlierOnConnection) == [0, 1])
        #expect(server.requests.last?.query == "x=1")
        #expect(server.requests.last?.headerLines == ["X: y"])
    }

    @Test
    func bodiesArriveWithLengthInChunksAndAfterContinue() async throws {
        let server = try RawServer { .mirror($0) }
        let head = "POST / HTTP/1.1\r\n"
        _ = await exchange(server, head + "Content-Length: 3\r\n\r\nabc")
        _ = await exchange(server, head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        let reply = await exchange(server, head + "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx")
        #expect(server.requests.map(\.text) == ["abc", "abcde", "x"])
        #expect(reply.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200"))
    }

    @Test
    func aHeadRequestGetsNoContent() async throws {
        let server = try RawServer { _ in .response(body: "hello") }
        let reply = await exchange(server, "HEAD / HTTP/1.1\r\n\r\n")
        #expect(reply.hasSuffix("Content-Length: 5\r\n\r\n"))
    }

    @Test
    func stoppingEndsHeldAndSilentConnections() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { $0.path == "/hold" ? .response().held(by: latch) : .silence }
        async let held = exchange(server, "GET /hold HTTP/1.1\r\n\r\n")
        async let silent = exchange(server, "GET /silent HTTP/1.1\r\n\r\n")
        await server.wait(forRequests: 2)
        server.stop()
        #expect(await held.isEmpty)
        #expect(await silent.isEmpty)
    }

    @Test
    func twoHundredConnectionsAtOnce() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { .response(body: $0.path).held(by: latch) }
        await withTaskGroup(of: Int32.self) { group in
            let sockets = (0..<200).map { _ in Socket.connected(to: server.port) }
            for socket in sockets { _ = Socket.send(Data("GET /x HTTP/1.1\r\n\r\n".utf8), to: socket) }
            await server.wait(forRequests: 200)
            #expect(server.log.opened == 200)
            latch.open()
            for socket in sockets { Socket.close(socket) }
            await server.wait { $0.closed == 200 }
        }
    }
}

extension Socket {
    /// Connects to 127.0.0.1.
    static func connected(to port: UInt16) -> Int32 {
        let descriptor = tcp()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }
}
