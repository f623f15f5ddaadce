import Foundation
import Testing

@testable import SimpleNetworking

@Suite("URLSessionTransport against a server that misbehaves", .timeLimit(.minutes(1)))
struct URLSessionFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: RawServer.Reply
        let kinds: [NetworkFailure.Kind]

        init(_ name: String, _ reply: RawServer.Reply, _ kinds: NetworkFailure.Kind...) {
            testDescription = name
            self.reply = reply
            self.kinds = kinds
        }
    }

    // Trailers and a header block that is cut short end the process on Linux; nothing in this process can help it.
    static let faults = [
        Fault("reset", .reset, .connectionLost),
        Fault("closed", .closed, .connectionLost),
        Fault("truncated", .truncated, .connectionLost),
        Fault("truncated by a reset", .truncatedByReset, .connectionLost),
        Fault("truncated chunk", .truncatedChunk, .connectionLost),
        Fault("missing last chunk", .missingLastChunk, .connectionLost),
        Fault("bad chunk", .badChunk, .malformedResponse),
        Fault("garbage", .garbage, .malformedResponse),
        Fault("bad status line", .badStatusLine, .malformedResponse),
        Fault("bad gzip", .badGzip, .malformedResponse),
        Fault("huge header", .hugeHeader(), .malformedResponse),
        Fault("Latin-1 in a header", .latin1Header, .malformedResponse),
        Fault("no reason phrase", .noReason, .malformedResponse),
    ]

    @Test(arguments: URLSessionDriving.allCases, faults)
    func everyFaultEndsInItsOwnError(driving: URLSessionDriving, fault: Fault) async throws {
        let server = try RawServer { _ in fault.reply }
        let error = await #expect(throws: NetworkFailure.self) {
            try await withinSeconds(30) { try await driving.transport().get(server.url()) }
        }
        #expect(fault.kinds.contains(error?.kind ?? .other), "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aClosedPortCannotBeConnectedTo(driving: URLSessionDriving) async throws {
        let (socket, port) = try Socket.bound()
        defer { Socket.close(socket) }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        let error = await #expect(throws: NetworkFailure.self) { try await driving.transport().get(url) }
        #expect(error?.kind == .cannotConnect)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func anUnknownHostIsNotFound(driving: URLSessionDriving) async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/"))
        let error = await #expect(throws: NetworkFailure.self) { try await driving.transport().get(url) }
        #expect(error?.kind == .cannotFindHost)
    }

    @Test(arguments: URLSessionDriving.allCases)
    func plainTextWhereTLSIsExpectedIsATLSFailure(driving: URLSessionDriving) async throws {
        let server = try GreetingServer("HTTP/1.1 400 Bad Request\r\n\r\n")
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: NetworkFailure.self) {
            try await withinSeconds(30) { try await driving.transport().get(url) }
        }
        #expect(error?.kind == .tls, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: URLSessionDriving.allCases, [RawServer.Reply.silence, .stalled])
    func silenceEndsWhenTheTaskIsCancelled(driving: URLSessionDriving, reply: RawServer.Reply) async throws {
        let server = try RawServer { _ in reply }
        let transport = driving.transport()
        let task = Task { try await transport.get(server.url()) }
        await server.wait(forRequests: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await withinSeconds(30) { try await task.value } }
        await server.wait { $0.closed == 1 }
    }

    @Test
    func endlessContentEndsAtTheLimit() async throws {
        let server = try RawServer { _ in .endless }
        let transport = URLSessionDriving.own.transport()
        let head = RequestHead(url: server.url())
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await withinSeconds(30) {
                try await transport.send(TransportRequest(head: head, maxResponseSize: 1 << 20))
            }
        }
        guard case .tooLarge(1 << 20, _) = error else { Issue.record("\(error.map { "\($0)" } ?? "no error")"); return }
        await server.wait { $0.closed == 1 }
    }

    @Test(arguments: URLSessionDriving.allCases)
    func contentMayBeAsLargeAsTheLimitAndNoLarger(driving: URLSessionDriving) async throws {
        let server = try RawServer {
            $0.path == "/chunked" ? .chunked(["12345", "67890"]) : .response(body: "1234567890")
        }
        for path in ["/", "/chunked"] {
            let request = TransportRequest(head: RequestHead(url: server.url(path)), maxResponseSize: 10)
            #expect(try await driving.transport().send(request).body.count == 10)
            var smaller = request
            smaller.maxResponseSize = 9
            let refused = smaller
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await driving.transport().send(refused)
            }
            #expect(error.map(name(of:)) == "tooLarge")
        }
    }

    @Test(arguments: URLSessionDriving.allCases)
    func aConnectionThatClosesQuietlyIsReplaced(driving: URLSessionDriving) async throws {
        let server = try RawServer { $0.path == "/reused" ? .closedIfReused($0) : .closingQuietly() }
        let transport = driving.transport()
        for _ in 0..<20 {
            #expect(try await transport.get(server.url()).status == 200)
            await server.wait { $0.closed == $0.opened }
        }
    }

    @Test(arguments: URLSessionDriving.allCases)
    func manyDripsArriveWhole(driving: URLSessionDriving) async throws {
        let server = try RawServer { _ in .drip("drop by drop", every: 0.01) }
        let response = try await driving.transport().get(server.url())
        #expect(String(decoding: response.body, as: UTF8.self) == "drop by drop")
    }
}

/// Says something before it is asked, which is no way to begin TLS.
private final class GreetingServer: Sendable {
    let port: UInt16
    private let isStopped = Locked(false)

    init(_ greeting: String) throws {
        let (listener, port) = try Socket.listening()
        self.port = port
        let isStopped = isStopped
        Thread.detachNewThread {
            while !isStopped.withLock({ $0 }) {
                guard Socket.isReadable(listener, within: 0.05), let socket = Socket.accepted(from: listener) else {
                    continue
                }
                _ = Socket.send(Data(greeting.utf8), to: socket)
                Socket.finish(socket)
                Socket.close(socket)
            }
            Socket.close(listener)
        }
    }

    deinit { isStopped.withLock { $0 = true } }
}
