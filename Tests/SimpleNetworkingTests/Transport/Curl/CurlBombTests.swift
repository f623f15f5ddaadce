#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import SimpleNetworkingSupport
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    // Each in a process of its own, where nothing else takes memory.
    @Suite("CurlTransport and content that decodes to much more", .timeLimit(.minutes(5)))
    struct CurlBombTests {
        @Test
        func aStreamOfBrotliTakesAFewMegabytes() async throws {
            await #expect(processExitsWith: .success) { try await take([.brotliBomb]) }
        }

        @Test
        func aStreamOfZstdTakesAFewMegabytes() async throws {
            await #expect(processExitsWith: .success) { try await take([.zstdBomb(windowLog: 22)]) }
        }

        @Test
        func aStreamCompressedThriceTakesAFewMegabytes() async throws {
            await #expect(processExitsWith: .success) {
                try await take([#require(CodedContent.gzipBomb(times: 3), "gzip is needed")])
            }
        }

        @Test
        func twentyStreamsTakeTwentyTimesAsMuchAtMost() async throws {
            await #expect(processExitsWith: .success) {
                try await hold(Array(repeating: .brotliBomb, count: 10))
                try await hold(Array(repeating: .zstdBomb(windowLog: 22), count: 10))
            }
        }

        @Test
        func contentThatNobodyTakesStopsTheServerOnAKeptConnection() async throws {
            await #expect(processExitsWith: .success) {
                let server = try RawServer { $0.path == "/" ? .response(body: "ok") : .endless }
                let transport = try curl()
                _ = try await transport.get(server.url())
                let before = ProcessUsage.peak
                let gate = Gate()
                let task = Task {
                    try await transport.get(server.url("/endless")) { $0.sink = .stream { _ in try await gate.wait() } }
                }
                await gate.arrivals(1)
                // Long enough for a server that nothing holds back to send much.
                try await Task.sleep(nanoseconds: 500_000_000)
                #expect(Sanitizer.isOn || ProcessUsage.peak - before < 8 << 20)
                task.cancel()
            }
        }
    }

    /// Takes all of each, one after the other, on a connection that was used before.
    private func take(_ contents: [CodedContent]) async throws {
        let server = try server(of: contents)
        let transport = try curl()
        _ = try await transport.get(server.url("/warm"))
        let before = ProcessUsage.peak
        for index in contents.indices {
            let (count, largest) = (Locked(0), Locked(0))
            _ = try await transport.get(server.url("/\(index)")) {
                $0.sink = .stream { part in
                    guard case .content(let data) = part else { return }
                    count.withLock { $0 += data.count }
                    largest.withLock { $0 = max($0, data.count) }
                }
            }
            #expect(count.withLock { $0 } == CodedContent.zeros)
            #expect(largest.withLock { $0 } <= 64 << 10)
        }
        #expect(Sanitizer.isOn || ProcessUsage.peak - before < 8 << 20)
    }

    /// Takes the first piece of each, all at once, and no more.
    private func hold(_ contents: [CodedContent]) async throws {
        let server = try server(of: contents)
        let transport = try curl { $0.connectionsPerHost = contents.count }
        let before = ProcessUsage.peak
        let gate = Gate()
        await withThrowingTaskGroup(of: Void.self) { group in
            for index in contents.indices {
                group.addTask {
                    _ = try await transport.get(server.url("/\(index)")) {
                        $0.sink = .stream { if case .content = $0 { try await gate.wait() } }
                    }
                }
            }
            await gate.arrivals(contents.count)
            #expect(Sanitizer.isOn || ProcessUsage.peak - before < contents.count * 8 << 20)
            group.cancelAll()
        }
    }

    private func server(of contents: [CodedContent]) throws -> RawServer {
        try RawServer { request in
            guard let index = Int(request.path.dropFirst()) else { return .response(body: "warm") }
            return .response(headers: ["Content-Encoding": contents[index].coding], data: contents[index].data)
        }
    }
#endif
