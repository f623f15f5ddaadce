#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, cancellation and lifetime", .timeLimit(.minutes(5)))
    struct CurlLifetimeTests {
        @Test(arguments: [RawServer.Reply.silence, .stalled, .endless])
        func aCancelledRequestEndsAtOnceAndFreesItsConnection(reply: RawServer.Reply) async throws {
            let server = try RawServer { _ in reply }
            let transport = try curl()
            let task = Task { try await transport.get(server.url()) { $0.maxResponseSize = .max } }
            await server.wait(forRequests: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await server.wait { $0.closed == 1 }
        }

        @Test
        func aTaskThatIsCancelledBeforehandSendsNothing() async throws {
            let server = try RawServer { .echo($0) }
            let transport = try curl()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await transport.get(server.url())
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.log.opened == 0)
        }

        @Test
        func aRequestInFlightOutlivesTheLastReferenceToItsTransport() async throws {
            let latch = RawServer.Latch()
            let server = try RawServer { _ in .response(body: "late").held(by: latch) }
            var transport: CurlTransport? = try curl()
            let task = Task { [transport] in try await transport?.get(server.url()) }
            await server.wait(forRequests: 1)
            transport = nil
            latch.open()
            #expect(try await task.value?.text == "late")
            await server.wait { $0.closed == 1 }
        }

        /// 10,000 by default; `SN_CANCELLATIONS` asks for more.
        private static let races = ProcessInfo.processInfo.environment["SN_CANCELLATIONS"].flatMap { Int($0) } ?? 10_000

        // In a process of its own, where nothing else opens files and starts threads.
        #if compiler(>=6.2)
            @Test
            func aStormOfCancellationsLeavesNothingBehind() async throws {
                await #expect(processExitsWith: .success) {
                    let server = try RawServer { CurlLifetimeTests.stormReply(to: $0) }
                    // Threads and files that come with the first request of a process stay.
                    try await CurlLifetimeTests.storm(server, count: 500)
                    await server.wait { $0.closed == $0.opened }
                    let before = Usage()
                    try await CurlLifetimeTests.storm(server, count: CurlLifetimeTests.races)
                    await server.wait { $0.closed == $0.opened }
                    var after = Usage()
                    // A thread that has nothing left to do still needs a moment to end.
                    for _ in 0..<500 where !after.isWithin(before) {
                        try await Task.sleep(nanoseconds: 10_000_000)
                        after = Usage()
                    }
                    print("before: \(before), after: \(after)")
                    guard after.isWithin(before) else { exit(1) }
                    // A race needs two: some must have come through, and some not.
                    let count = server.requests.count
                    guard (CurlLifetimeTests.races / 100...CurlLifetimeTests.races).contains(count) else { exit(3) }
                }
            }
        #endif

        private static func stormReply(to request: RawServer.Request) -> RawServer.Reply {
            switch request.path {
            case "/redirect": .redirect(to: "/echo")
            case "/refused": .unauthorized()
            case "/closed": .closed
            case "/truncated": .truncated
            case "/reset": .reset
            case "/trailers": .trailers
            case "/slow": .drip("abc", every: 0.001)
            default: .echo(request)
            }
        }

        private static func storm(_ server: RawServer, count: Int) async throws {
            let paths = ["/echo", "/redirect", "/refused", "/closed", "/truncated", "/reset", "/trailers", "/slow"]
            let transport = try curl()
            let urls = paths.map { server.url($0) }
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<32 {
                    group.addTask {
                        for round in 0..<(count / 32) {
                            let number = worker + round
                            let task = Task.detached {
                                try await transport.get(
                                    urls[number % urls.count],
                                    method: number % 3 == 0 ? .post : .get
                                ) {
                                    if number % 3 == 0 {
                                        $0.body = .stream(length: nil) { InputStream(data: Data([1])) }
                                    }
                                    if number % 5 == 0 { $0.sink = .stream { _ in } }
                                    if number % 7 == 0 { $0.progress = { _ in } }
                                    if number % 11 == 0 { $0.timeout = 0.000_5 }
                                }
                            }
                            for _ in 0..<Int.random(in: 0...(number % 2 == 0 ? 40 : 4000)) { await Task.yield() }
                            task.cancel()
                            _ = await task.result
                        }
                    }
                }
            }
            let last = try await transport.get(server.url("/echo"))
            guard last.status == 200 else { exit(2) }
        }

        private struct Usage: CustomStringConvertible {
            let sockets = Usage.names("/proc/self/fd").filter {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix("socket:") == true
            }.count
            // Those of Swift and Dispatch, and their timers' files, come and go as they like.
            let threads = Usage.names("/proc/self/task").filter {
                (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?.hasPrefix("sn-curl")
                    == true
            }.count

            func isWithin(_ other: Usage) -> Bool { sockets <= other.sockets && threads <= other.threads }

            var description: String { "\(sockets) sockets, \(threads) threads" }

            private static func names(_ folder: String) -> [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            }
        }
    }
#endif
