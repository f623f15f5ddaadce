#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, limits and their queues", .timeLimit(.minutes(5)))
    struct CurlLimitTests {
        @Test
        func noMoreConnectionsThanAllowedAreMadeToAHost() async throws {
            let server = try RawServer { _ in .response(body: "ok") }
            let transport = try curl { $0.connectionsPerHost = 3 }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await transport.get(server.url()).httpStatus } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.log.opened <= 3)
        }

        @Test
        func aHostThatKeepsItsConnectionsWaitingIsGivenMore() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { _ in .response(body: "ok").held(by: latch) }
            let transport = try curl { $0.connectionsPerPromptHost = 2 }
            let tasks = (0..<100).map { _ in Task { try await transport.get(server.url()).httpStatus } }
            await server.wait(forRequests: 100)
            latch.open()
            for task in tasks { #expect(try await withinSeconds(120) { try await task.value } == 200) }
        }

        @Test
        func requestsToAHostStartInTheOrderInWhichTheyCame() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { $0.path == "/first" ? .response().held(by: latch) : .response() }
            let transport = try curl { $0.connectionsPerHost = 1 }
            var tasks = [Task { try await transport.get(server.url("/first")) }]
            await server.wait(forRequests: 1)
            for number in 0..<20 {
                let isWaiting = transport.waitingCount
                tasks.append(Task { try await transport.get(server.url("/\(number)")) })
                try await eventually { transport.waitingCount != isWaiting }
            }
            latch.open()
            for task in tasks { _ = try await withinSeconds(120) { try await task.value } }
            #expect(server.requests.map(\.path) == ["/first"] + (0..<20).map { "/\($0)" })
        }

        @Test
        func largeContentArrivesWholeWhenManyRequestsAreInFlight() async throws {
            let latch = RawServer.Latch()
            let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
            let server = try RawServer { _ in .response(data: content).held(by: latch) }
            let transport = try curl { $0.connectionsPerPromptHost = 80 }
            // The second time, the host is known for large content.
            for round in 1...2 {
                let tasks = (0..<80).map { _ in Task { try await transport.get(server.url()).data } }
                await server.wait(forRequests: 80 * round)
                latch.open()
                for task in tasks { #expect(try await withinSeconds(120) { try await task.value } == content) }
            }
        }

        @Test
        func waitingForAConnectionDoesNotCountAgainstTheTimeout() async throws {
            let server = try RawServer { $0.path == "/slow" ? .response().delayed(by: 3) : .response() }
            let transport = try curl { $0.connectionsPerHost = 1 }
            async let slow = transport.get(server.url("/slow"))
            await server.wait(forRequests: 1)
            #expect(await transport.end(of: server.url()) { $0.timeout = 2 } == "200")
            #expect(try await slow.httpStatus == 200)
        }

        @Test
        func oneHostsQueueDoesNotKeepAnotherHostWaiting() async throws {
            let busy = try RawServer { _ in .silence }
            let free = try RawServer { _ in .response(body: "ok") }
            let transport = try curl { $0.connectionsPerHost = 2 }
            let tasks = (0..<20).map { _ in Task { try await transport.get(busy.url()) } }
            await busy.wait(forRequests: 2)
            #expect(try await transport.get(free.url()).text == "ok")
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        }

        @Test
        func hostsTakeTurnsAtTheLimitInTotal() async throws {
            let latch = RawServer.Latch()
            let order = Locked<[Int]>([])
            let servers = try (0..<3).map { number in
                try RawServer { request in
                    if request.path == "/first" { return .response().held(by: latch) }
                    order.withLock { $0.append(number) }
                    return .response()
                }
            }
            let transport = try curl { $0.connectionsInTotal = 1 }
            var tasks = [Task { try await transport.get(servers[0].url("/first")) }]
            await servers[0].wait(forRequests: 1)
            for server in servers {
                for _ in 0..<3 {
                    let isWaiting = transport.waitingCount
                    tasks.append(Task { try await transport.get(server.url()) })
                    try await eventually { transport.waitingCount != isWaiting }
                }
            }
            latch.open()
            for task in tasks { _ = try await withinSeconds(120) { try await task.value } }
            #expect(order.withLock { $0 } == [0, 1, 2, 0, 1, 2, 0, 1, 2])
        }

        @Test
        func aWaitingRequestThatIsCancelledIsNeverSent() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { _ in .response().held(by: latch) }
            let transport = try curl { $0.connectionsPerHost = 1 }
            let first = Task { try await transport.get(server.url()) }
            await server.wait(forRequests: 1)
            let second = Task { try await transport.get(server.url("/second")) }
            try await eventually { transport.waitingCount >= 1 }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await withinSeconds(120) { try await second.value } }
            latch.open()
            _ = try await first.value
            _ = try await withinSeconds(120) { try await transport.get(server.url("/third")) }
            #expect(server.requests.map(\.path) == ["/", "/third"])
        }
    }
#endif
