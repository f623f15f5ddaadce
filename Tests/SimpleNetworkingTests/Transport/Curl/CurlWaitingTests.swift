#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, requests that wait for a host's first connection", .serialized, .timeLimit(.minutes(5)))
    struct CurlWaitingTests {
        private typealias Timeout = SimpleNetworkingError.Timeout

        /// Forty requests with a limit of a second: one after another they would take forty times as long as one.
        private func expectEnds(
            _ timeout: SimpleNetworkingError.Timeout,
            _ transport: CurlTransport,
            _ url: URL,
            _ change: @escaping @Sendable (inout TransportRequest) -> Void
        ) async {
            let clock = ContinuousClock()
            let alone = await clock.measure { _ = await transport.end(of: url, change) }
            let start = clock.now
            let ends = await withTaskGroup(of: String.self) { group in
                for _ in 0..<40 { group.addTask { await transport.end(of: url, change) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let duration = start.duration(to: .now)
            #expect(ends == Array(repeating: "\(timeout)", count: 40))
            #expect(duration >= .milliseconds(990) && duration < alone * 20, "\(duration), \(alone) alone")
            #expect(transport.waitingCount == 0)
        }

        private func secure(_ server: RawServer) throws -> URL {
            try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        }

        @Test
        func timeoutsDoNotAddUpWhereTLSIsNeverFinished() async throws {
            let server = try RawServer { _ in .silence }
            try await expectEnds(.attempt(1), curl(), secure(server)) { $0.timeout = 1 }
        }

        @Test
        func connectTimeoutsDoNotAddUpWhereTLSIsNeverFinished() async throws {
            let server = try RawServer { _ in .silence }
            try await expectEnds(.connect(1), curl(), secure(server)) { $0.connectTimeout = 1 }
        }

        @Test
        func idleTimeoutsDoNotAddUpWhereTLSIsNeverFinished() async throws {
            let server = try RawServer { _ in .silence }
            try await expectEnds(.idle(1), curl { $0.idleTimeout = 1 }, secure(server)) { _ in }
        }

        @Test
        func timeoutsDoNotAddUpWhereNoConnectionIsAccepted() async throws {
            let server = try GreetingServer()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            try await expectEnds(.attempt(1), curl { $0.connectionsPerHost = 1 }, url) { $0.timeout = 1 }
        }

        @Test
        func timeoutsDoNotAddUpWhereAProxyOpensNoTunnel() async throws {
            let proxy = try RawServer { _ in .silence }
            let url = try #require(URL(string: "https://host.invalid/"))
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(proxy.url()) }
            await expectEnds(.attempt(1), transport, url) { $0.timeout = 1 }
        }

        @Test
        func aRequestThatTakesItsTurnLateKeepsWhatIsLeftOfItsTimeout() async throws {
            let server = try RawServer { _ in .silence }
            let transport = try curl()
            let url = try secure(server)
            let start = ContinuousClock.now
            async let first = transport.end(of: url) { $0.timeout = 2 }
            async let second = transport.end(of: url) { $0.timeout = 4 }
            #expect(await [first, second] == ["\(Timeout.attempt(2))", "\(Timeout.attempt(4))"])
            let duration = start.duration(to: .now)
            #expect(duration >= .milliseconds(3990) && duration < .milliseconds(5900), "\(duration)")
        }

        @Test
        func aHostThatHasConnectedMayKeepRequestsWaitingBeyondTheirTimeout() async throws {
            let server = try RawServer { _ in .response().delayed(by: 0.8) }
            let transport = try curl { $0.connectionsPerHost = 1 }
            // All are there before the first has connected, and wait for up to four seconds.
            let ends = await withTaskGroup(of: String.self) { group in
                for _ in 0..<6 { group.addTask { await transport.end(of: server.url()) { $0.timeout = 3 } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends == Array(repeating: "200", count: 6))
        }

        @Test
        func requestsThatTimedOutWaitingLeaveTheHostUsable() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { _ in .response(status: 403).held(by: latch) }
            let url = try #require(URL(string: "https://host.invalid/"))
            let transport = try curl { $0.proxy = CurlConfiguration.Proxy(server.url()) }
            async let first = transport.end(of: url)
            await server.wait(forRequests: 1)
            #expect(await transport.end(of: url) { $0.timeout = 0.1 } == "\(Timeout.attempt(0.1))")
            latch.open()
            #expect(await first == NetworkFailure.Kind.cannotConnect.rawValue)
            #expect(await transport.end(of: url) == NetworkFailure.Kind.cannotConnect.rawValue)
        }
    }
#endif
