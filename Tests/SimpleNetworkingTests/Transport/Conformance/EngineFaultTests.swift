import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine against a server that misbehaves", .serialized, .timeLimit(.minutes(5)))
struct EngineFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: RawServer.Reply
        let kind: NetworkFailure.Kind
        /// What keeps some engines from this error, and theirs: nil for the end of the process, which
        /// EngineLimitationTests assert.
        let limitation: Limitation?
        let kindIfLacking: NetworkFailure.Kind?

        init(
            _ name: String,
            _ reply: RawServer.Reply,
            _ kind: NetworkFailure.Kind,
            unlessLacking limitation: Limitation? = nil,
            _ kindIfLacking: NetworkFailure.Kind? = nil
        ) {
            testDescription = name
            self.reply = reply
            self.kind = kind
            self.limitation = limitation
            self.kindIfLacking = kindIfLacking
        }

        func kind(for engine: Engine) -> NetworkFailure.Kind? {
            guard let limitation, engine.lacks(limitation) else { return kind }
            return kindIfLacking
        }
    }

    static let faults = [
        Fault("reset", .reset, .connectionLost),
        Fault("closed", .closed, .connectionLost),
        Fault("header block cut short", .cutHeaders, .connectionLost, unlessLacking: .cutHeaderBlocks),
        Fault(
            "no end of headers",
            .raw("HTTP/1.1 200 OK\r\nA: b\r\n"),
            .connectionLost,
            unlessLacking: .cutHeaderBlocks
        ),
        Fault("status line alone", .raw("HTTP/1.1 200 OK\r\n"), .connectionLost, unlessLacking: .cutHeaderBlocks),
        Fault("informational response alone", .raw("HTTP/1.1 103 Early\r\n\r\n"), .connectionLost),
        Fault("truncated", .truncated, .connectionLost),
        Fault("truncated by a reset", .truncatedByReset, .connectionLost),
        Fault("truncated chunk", .truncatedChunk, .connectionLost),
        Fault("missing last chunk", .missingLastChunk, .connectionLost),
        Fault("bad chunk", .badChunk, .malformedResponse),
        Fault("garbage", .garbage, .malformedResponse),
        Fault("HTTP/0.9", .raw("<html>hello</html>"), .malformedResponse),
        Fault("bad status line", .badStatusLine, .malformedResponse),
        Fault("negative length", .raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), .malformedResponse),
        Fault("wordy length", .raw("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"), .malformedResponse),
        Fault("bad gzip", .badGzip, .malformedResponse),
        Fault("4 MB of one field", .hugeHeader(), .malformedResponse),
        Fault("4 MB of many fields", .raw(manyFields), .malformedResponse),
        Fault("endless informational responses", .raw(manyHints), .malformedResponse),
        Fault(
            "switched protocols",
            .raw("HTTP/1.1 101 Upgrade\r\nUpgrade: x\r\n\r\n"),
            .malformedResponse,
            unlessLacking: .switchedProtocols,
            .connectionLost
        ),
    ]

    private static let manyFields =
        "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: 12345678901234567890\r\n", count: 140_000) + "\r\n"
    private static let manyHints = String(repeating: "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n", count: 100_000)

    @Test(arguments: Engine.allCases, faults)
    func everyFaultHasItsErrorAndHarmsNoOtherRequest(engine: Engine, fault: Fault) async throws {
        guard let kind = fault.kind(for: engine) else { return }
        let server = try RawServer { $0.path == "/fine" ? .response(body: "fine") : fault.reply }
        let transport = try engine.transport()
        let error = await #expect(throws: NetworkFailure.self) {
            try await withinSeconds(120) { try await transport.get(server.url()) }
        }
        #expect(error?.kind == kind, "\(error.map { "\($0)" } ?? "")")
        #expect(try await transport.get(server.url("/fine")).text == "fine")
    }

    @Test(arguments: Engine.allCases)
    func aClosedPortCannotBeConnectedTo(engine: Engine) async throws {
        let (socket, port) = try Socket.bound()
        defer { Socket.close(socket) }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        #expect(try await engine.transport().end(of: url) == NetworkFailure.Kind.cannotConnect.rawValue)
    }

    @Test(arguments: Engine.allCases)
    func anUnknownHostIsNotFound(engine: Engine) async throws {
        let url = try #require(URL(string: "http://no-such-host.invalid/"))
        #expect(try await engine.transport().end(of: url) == NetworkFailure.Kind.cannotFindHost.rawValue)
    }

    @Test(arguments: Engine.allCases)
    func plainTextWhereTLSIsExpectedIsATLSFailure(engine: Engine) async throws {
        let server = try GreetingServer("HTTP/1.1 400 Bad Request\r\n\r\n")
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let transport = try engine.transport()
        let end = try await withinSeconds(120) { await transport.end(of: url) }
        #expect(end == NetworkFailure.Kind.tls.rawValue)
    }
}
