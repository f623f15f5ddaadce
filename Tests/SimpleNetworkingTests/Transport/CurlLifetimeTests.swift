#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, storms", .timeLimit(.minutes(5)))
    struct CurlLifetimeTests {
        /// 5,000, since a debug build is slow; `SN_FULL_STORM=1` asks for 100,000.
        private static let races = ProcessInfo.processInfo.environment["SN_FULL_STORM"] == "1" ? 100_000 : 5_000

        // In a process of its own, where nothing else opens files and starts threads.
        #if compiler(>=6.2)
            @Test
            func aStormOfCancellationsLeavesNothingBehind() async throws {
                await #expect(processExitsWith: .success) {
                    let server = try RawServer { CancellationStorm.reply(to: $0) }
                    let ends = Locked((answers: 0, cancellations: 0))
                    // Threads and files that come with the first request of a process stay.
                    try await CurlLifetimeTests.storm(server, count: 500, ends)
                    await server.wait { $0.closed == $0.opened }
                    let before = Usage()
                    try await CurlLifetimeTests.storm(server, count: CurlLifetimeTests.races, ends)
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
                    guard ends.withLock({ $0.answers > 0 && $0.cancellations > 0 }) else { exit(3) }
                }
            }
        #endif

        private static func storm(
            _ server: RawServer,
            count: Int,
            _ ends: Locked<(answers: Int, cancellations: Int)>
        ) async throws {
            let transport = try curl()
            let urls = CancellationStorm.paths.map { server.url($0) }
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
                            switch await task.result {
                            case .success: ends.withLock { $0.answers += 1 }
                            case .failure(let error) where error is CancellationError:
                                ends.withLock { $0.cancellations += 1 }
                            case .failure: break
                            }
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
