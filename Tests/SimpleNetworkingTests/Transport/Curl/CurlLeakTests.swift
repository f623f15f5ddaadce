// In a process of its own, where nothing else opens files and takes memory.
#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import Testing

    @testable import SimpleNetworking
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport leaves nothing behind", .timeLimit(.minutes(5)))
    struct CurlLeakTests {
        @Test
        func aStreamThatIsCancelledBetweenTwoPiecesFreesTheSecond() async throws {
            await #expect(processExitsWith: .success) {
                for _ in 0..<50 { try await CurlLeakTests.cancelBetweenPieces() }
                let before = ProcessUsage.memory
                for _ in 0..<200 { try await CurlLeakTests.cancelBetweenPieces() }
                let grown = ProcessUsage.memory - before
                // The pieces are 10 MB. AddressSanitizer looks for leaks itself.
                #expect(Sanitizer.isOn || grown < 5 << 20, "\(grown)")
            }
        }

        /// The second piece has arrived when the first one's receiver returns.
        private static func cancelBetweenPieces() async throws {
            let latch = RawServer.Latch()
            let flow = RawServer.Flow()
            let piece = Data(repeating: 65, count: 50_000)
            let server = try RawServer { request in
                guard request.path == "/pieces" else { return .response() }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(piece.count + 1)\r\n\r\n1"
                return RawServer.Reply([.send(Data(head.utf8)), .hold(latch), .pour(piece, flow)])
            }
            let transport = try curl()
            let task = Task {
                await transport.end(of: server.url("/pieces")) {
                    $0.sink = .stream { part in
                        guard case .content(let data) = part else { return }
                        guard data.count == 1 else { exit(2) }
                        latch.open()
                        try await flow.end()
                        // The one thread that reads has been round since.
                        for _ in 0..<3 { _ = try await transport.get(server.url()) }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
            }
            guard await task.value == "CancellationError" else { exit(3) }
        }

        @Test
        func anUploadThatStallsBeyondItsClientsEndLeavesNoEngine() async throws {
            await #expect(processExitsWith: .success) {
                try await CurlLeakTests.stall()
                let before = CurlLeakTests.bells
                for _ in 0..<20 { try await CurlLeakTests.stall() }
                try await eventually { CurlLeakTests.bells <= before + 2 }
            }
        }

        /// Content is supplied when neither the request nor the client nor the engine's thread is there any more.
        private static func stall() async throws {
            let threads = ProcessUsage().engineThreads
            let server = try RawServer { .mirror($0) }
            let latch = DispatchSemaphore(value: 0)
            do {
                let transport = try curl()
                let hasStalled = Recorder<Void>()
                let body = RequestBody.stream(length: nil) {
                    hasStalled.add(())
                    latch.wait()
                    return InputStream(data: Data("late".utf8))
                }
                let task = Task { try await transport.get(server.url(), method: .post, body: body) }
                try await eventually { !hasStalled.elements.isEmpty }
                // Its second command runs after the one that requested content.
                _ = try await transport.get(server.url())
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            try await eventually { ProcessUsage().engineThreads <= threads }
            latch.signal()
        }

        /// Event counters: one per engine, and Dispatch's own.
        private static var bells: Int {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return files.count {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.contains("[eventfd]") == true
            }
        }
    }
#endif
