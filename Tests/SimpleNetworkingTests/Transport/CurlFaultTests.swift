#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport against a server that misbehaves", .timeLimit(.minutes(1)))
    struct CurlFaultTests {
        struct Fault: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let reply: RawServer.Reply
            let kind: NetworkFailure.Kind

            init(_ name: String, _ reply: RawServer.Reply, _ kind: NetworkFailure.Kind) {
                testDescription = name
                self.reply = reply
                self.kind = kind
            }
        }

        static let faults = [
            Fault("reset", .reset, .connectionLost),
            Fault("closed", .closed, .connectionLost),
            Fault("header block cut short", .cutHeaders, .connectionLost),
            Fault("header block without its end", .raw("HTTP/1.1 200 OK\r\nA: b\r\n"), .connectionLost),
            Fault("status line alone", .raw("HTTP/1.1 200 OK\r\n"), .connectionLost),
            Fault("informational answer alone", .raw("HTTP/1.1 103 Early\r\n\r\n"), .connectionLost),
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
            Fault("unknown encoding", .response(headers: ["Content-Encoding": "x"], body: "a"), .malformedResponse),
            Fault("4 MB of one field", .hugeHeader(), .malformedResponse),
            Fault("4 MB of many fields", .raw(manyFields), .malformedResponse),
            Fault("endless informational answers", .raw(manyHints), .malformedResponse),
            Fault("switched protocols", .raw("HTTP/1.1 101 Upgrade\r\nUpgrade: x\r\n\r\n"), .malformedResponse),
        ]

        private static let manyFields =
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Field: 12345678901234567890\r\n", count: 140_000) + "\r\n"
        private static let manyHints = String(repeating: "HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n", count: 100_000)

        @Test(arguments: faults)
        func everyFaultEndsInItsOwnError(fault: Fault) async throws {
            let server = try RawServer { $0.path == "/fine" ? .response(body: "fine") : fault.reply }
            let transport = try curl()
            let error = await #expect(throws: NetworkFailure.self) { try await transport.get(server.url()) }
            #expect(error?.kind == fault.kind, "\(error.map { "\($0)" } ?? "")")
            #expect(try await transport.get(server.url("/fine")).text == "fine")
        }

        @Test
        func aClosedPortCannotBeConnectedTo() async throws {
            let (listener, port) = try Socket.listening()
            Socket.close(listener)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
            #expect(try await curl().end(of: url) == NetworkFailure.Kind.cannotConnect.rawValue)
        }

        @Test
        func anUnknownHostIsNotFound() async throws {
            let url = try #require(URL(string: "http://no-such-host.invalid/"))
            #expect(try await curl().end(of: url) == NetworkFailure.Kind.cannotFindHost.rawValue)
        }

        @Test
        func plainTextWhereTLSIsExpectedIsATLSFailure() async throws {
            let server = try OneShotServer("HTTP/1.1 400 Bad Request\r\n\r\n")
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            #expect(try await curl().end(of: url) == NetworkFailure.Kind.tls.rawValue)
        }

        @Test(arguments: [RawServer.Reply.silence, .stalled])
        func silenceEndsWithTheTimeout(reply: RawServer.Reply) async throws {
            let server = try RawServer { _ in reply }
            let start = ContinuousClock.now
            let end = try await curl().end(of: server.url()) { $0.timeout = 0.15 }
            #expect(end == "\(SimpleNetworkingError.Timeout.attempt(0.15))")
            #expect(start.duration(to: .now) >= .milliseconds(150))
            await server.wait { $0.closed == 1 }
        }

        @Test
        func idlenessEndsBeforeTheTimeout() async throws {
            let server = try RawServer { $0.path == "/drip" ? .drip("12345678", every: 0.05) : .stalled }
            let transport = try curl { $0.idleTimeout = 0.25 }
            #expect(try await transport.get(server.url("/drip")).text == "12345678")
            #expect(await transport.end(of: server.url()) == "\(SimpleNetworkingError.Timeout.idle(0.25))")
            let end = await transport.end(of: server.url()) { $0.idleTimeout = 0.1 }
            #expect(end == "\(SimpleNetworkingError.Timeout.idle(0.1))")
        }

        @Test
        func connectingEndsWithItsOwnTimeout() async throws {
            let server = try OneShotServer()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            let end = try await curl { $0.connectTimeout = 0.2 }.end(of: url)
            #expect(end == "\(SimpleNetworkingError.Timeout.connect(0.2))")
        }

        @Test(arguments: [0, -1, .nan] as [TimeInterval])
        func aTimeoutOfNothingEndsAtOnce(timeout: TimeInterval) async throws {
            let server = try RawServer { _ in .silence }
            let end = try await curl().end(of: server.url()) { $0.timeout = timeout }
            #expect(end == "\(SimpleNetworkingError.Timeout.attempt(timeout))")
        }
    }
#endif
