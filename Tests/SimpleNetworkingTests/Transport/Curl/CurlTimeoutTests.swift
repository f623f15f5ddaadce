#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, timeouts of its own", .timeLimit(.minutes(5)))
    struct CurlTimeoutTests {
        @Test
        func idleTimeoutEndsBeforeTheTimeout() async throws {
            let server = try RawServer { $0.path == "/drip" ? .drip("0123456789", every: 0.25) : .stalled }
            // A busy machine may add a second to a pause.
            let patient = try curl { $0.idleTimeout = 2 }
            #expect(try await patient.get(server.url("/drip")).text == "0123456789")
            let transport = try curl { $0.idleTimeout = 0.25 }
            #expect(await transport.end(of: server.url()) == "\(SimpleNetworkingError.Timeout.idle(0.25))")
            let end = await transport.end(of: server.url()) { $0.idleTimeout = 0.1 }
            #expect(end == "\(SimpleNetworkingError.Timeout.idle(0.1))")
        }

        @Test
        func contentInMemoryThatMovesIsNotIdle() async throws {
            // More than the system's buffers take, for longer than the limit.
            let server = try RawServer(pause: 0.015) { .response(body: "\($0.body.count)") }
            let transport = try curl { $0.idleTimeout = 2 }
            let content = RequestBody.data(Data(count: 24_000_000))
            #expect(try await transport.get(server.url(), method: .post, body: content).text == "24000000")
        }

        /// The server sees for two seconds that nothing is taken: longer than the idle timeout.
        @Test
        func idleTimeoutDoesNotRunWhileTheReaderIsSlow() async throws {
            let data = Data(repeating: 7, count: 32 << 20)
            let flow = RawServer.Flow()
            let server = try RawServer { _ in .watched(data, by: flow) }
            let stream = StreamRecorder { _ in _ = try await flow.sight() }
            _ = try await curl { $0.idleTimeout = 1 }.get(server.url()) { $0.sink = stream.sink }
            let isWhole = stream.content == data
            #expect(isWhole)
            #expect(try await flow.sight() == .stalled)
        }

        /// An empty block (RFC 1951 §3.2.4), and one of one byte.
        private static let (empty, full) = (Data([0, 0, 0, 0xFF, 0xFF]), Data([0, 1, 0, 0xFE, 0xFF, 0x78]))
        private static let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n".utf8)

        @Test(arguments: [0, 0.02] as [TimeInterval], [false, true])
        func contentThatDecodesToNothingIsIdle(pause: TimeInterval, isStream: Bool) async throws {
            let blocks = Data(repeatElement(Self.empty, count: 10_000).joined())
            let drips = (0..<1000).flatMap { _ in [RawServer.Reply.Step.send(Self.empty), .pause(pause)] }
            let steps = [.send(Self.head + Self.full)] + (pause > 0 ? drips : [.flood(blocks)])
            let server = try RawServer { _ in RawServer.Reply(steps, end: .silence) }
            let end = try await curl().end(of: server.url()) {
                $0.timeout = 60
                $0.idleTimeout = 0.5
                if isStream { $0.sink = .stream { _ in } }
            }
            #expect(end == "\(SimpleNetworkingError.Timeout.idle(0.5))")
        }

        @Test
        func contentThatDecodesToSomethingNowAndThenIsNotIdle() async throws {
            let steps = (1...80).flatMap {
                [RawServer.Reply.Step.send($0 % 10 == 0 ? Self.full : Self.empty), .pause(0.02)]
            }
            let end = RawServer.Reply.Step.send(Data([1, 0, 0, 0xFF, 0xFF]))
            let server = try RawServer { _ in RawServer.Reply([.send(Self.head)] + steps + [end], end: .close) }
            let response = try await curl().get(server.url()) { $0.idleTimeout = 1 }
            #expect(response.text == "xxxxxxxx")
        }

        @Test
        func connectingEndsWithItsOwnTimeout() async throws {
            let server = try GreetingServer()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            let end = try await curl { $0.connectTimeout = 0.2 }.end(of: url)
            #expect(end == "\(SimpleNetworkingError.Timeout.connect(0.2))")
        }

        @Test
        func manyTimeoutsEndEachRequestInItsTime() async throws {
            let server = try RawServer { _ in .silence }
            let transport = try curl { $0.connectionsPerPromptHost = 100 }
            // Short ones among long ones, in no order, so that one may hide behind another.
            let timeouts: [TimeInterval] = (0..<40).map { index in
                let number = index * 7 % 40
                return number % 2 == 0 ? 3600 : 0.3 + Double(number) / 50
            }
            let tasks = timeouts.map { timeout in
                Task { await transport.end(of: server.url()) { $0.timeout = timeout } }
            }
            for (timeout, task) in zip(timeouts, tasks) where timeout < 3600 {
                let end = try await withinSeconds(120) { await task.value }
                #expect(end == "\(SimpleNetworkingError.Timeout.attempt(timeout))")
            }
            tasks.forEach { $0.cancel() }
        }

        @Test(arguments: [0, -1, .nan] as [TimeInterval])
        func zeroTimeoutEndsAtOnce(timeout: TimeInterval) async throws {
            let server = try RawServer { _ in .silence }
            let end = try await curl().end(of: server.url()) { $0.timeout = timeout }
            #expect(end == "\(SimpleNetworkingError.Timeout.attempt(timeout))")
        }
    }
#endif
