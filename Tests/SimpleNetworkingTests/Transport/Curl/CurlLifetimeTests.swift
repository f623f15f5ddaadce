// In a process of its own, where nothing else opens files and starts threads.
#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import Testing

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, storms", .timeLimit(.minutes(5)))
    struct CurlLifetimeTests {
        private static let races = Storm.size(1_500, full: 100_000)

        @Test
        func manyCancellationsLeakNothing() async throws {
            await #expect(processExitsWith: .success) {
                let server = try RawServer { CancellationStorm.reply(to: $0) }
                // Threads and files that come with the first request of a process stay.
                _ = try await CurlLifetimeTests.storm(server, count: 320)
                await server.wait { $0.closed == $0.opened }
                try await Task.sleep(nanoseconds: 10_000_000)
                let before = ProcessUsage()
                let ends = try await CurlLifetimeTests.storm(server, count: CurlLifetimeTests.races)
                await server.wait { $0.closed == $0.opened }
                var after = ProcessUsage()
                // A thread that has nothing left to do still needs a moment to end.
                for _ in 0..<1000 where !after.isWithin(before) {
                    try await Task.sleep(nanoseconds: 10_000_000)
                    after = ProcessUsage()
                }
                #expect(after.isWithin(before), "\(before), then \(after)")
                #expect(ends.total == CurlLifetimeTests.races)
                // A race needs two: some must have come through, and some not.
                #expect(ends.replies > 0 && ends.cancellations > 0, "\(ends)")
            }
        }

        private struct Ends: Sendable, CustomStringConvertible {
            var replies = 0
            var cancellations = 0
            var errors = 0

            var total: Int { replies + cancellations + errors }
            var description: String { "\(replies) replies, \(cancellations) cancellations, \(errors) errors" }

            static func += (left: inout Ends, right: Ends) {
                left.replies += right.replies
                left.cancellations += right.cancellations
                left.errors += right.errors
            }
        }

        private static func storm(_ server: RawServer, count: Int) async throws -> Ends {
            let transport = try curl()
            let urls = CancellationStorm.paths.map { server.url($0) }
            let ends = await withTaskGroup(of: Ends.self) { group in
                for worker in 0..<32 {
                    group.addTask {
                        var ends = Ends()
                        for number in stride(from: worker, to: count, by: 32) {
                            ends += await race(transport, urls, number: worker + number / 32)
                        }
                        return ends
                    }
                }
                return await group.reduce(into: Ends()) { $0 += $1 }
            }
            let last = try await transport.get(server.url("/echo"))
            guard last.httpStatus == 200, transport.waitingCount == 0 else { exit(4) }
            return ends
        }

        private static func race(_ transport: CurlTransport, _ urls: [URL], number: Int) async -> Ends {
            let task = Task.detached {
                try await transport.get(urls[number % urls.count], method: number % 3 == 0 ? .post : .get) {
                    if number % 3 == 0 { $0.body = .stream(length: nil) { InputStream(data: Data([1])) } }
                    if number % 5 == 0 { $0.sink = .stream { _ in } }
                    if number % 7 == 0 { $0.progress = { _ in } }
                    if number % 11 == 0 { $0.timeout = 0.000_5 }
                }
            }
            for _ in 0..<Int.random(in: 0...(number % 2 == 0 ? 40 : 4000)) { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success: return Ends(replies: 1)
            case .failure(let error) where error is CancellationError: return Ends(cancellations: 1)
            case .failure: return Ends(errors: 1)
            }
        }
    }
#endif
