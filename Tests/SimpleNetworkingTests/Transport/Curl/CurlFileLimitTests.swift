// In a process of its own, which may open few files; the server is in this one.
#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport where few files may be open", .serialized, .timeLimit(.minutes(5)), .sparingDispatch)
    struct CurlFileLimitTests {
        enum Kind: String, CaseIterable, Codable, Sendable {
            case plain, upload
        }

        @Test(arguments: Kind.allCases)
        func threeHundredRequestsWaitForOneOfSixtyFourFiles(kind: Kind) async throws {
            let server = try RawServer { .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16, kind] in
                let file = try ScratchFile(Data("content".utf8))
                await CurlFileLimitTests.allowFiles(64)
                let transport = try curl { $0.connectionsPerPromptHost = 300 }
                let ends = await CurlFileLimitTests.burst(transport, CurlFileLimitTests.url(port), kind, file)
                #expect(ends == ["200": 300], "\(ends)")
            }
            #expect(server.requests.count == 300)
        }

        /// All of the uploads that begin at once open their files before any of them connects.
        @Test(arguments: [2, 3, 7, 12, 20])
        func uploadsSucceedWhereFewFilesAreLeft(count: Int) async throws {
            let server = try RawServer { .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16, count] in
                let file = try ScratchFile(Data("content".utf8))
                let transport = try curl { $0.connectionsPerPromptHost = 300 }
                await CurlFileLimitTests.allowFiles(64)
                let taken = CurlFileLimitTests.takeAllFiles()
                taken.prefix(count).forEach(Socket.close)
                let ends = await CurlFileLimitTests.burst(transport, CurlFileLimitTests.url(port), .upload, file)
                taken.dropFirst(count).forEach(Socket.close)
                #expect(ends == ["200": 300], "\(ends)")
            }
            #expect(server.requests.count == 300)
        }

        /// A limit that the client did not see when it was made, as when others have taken the files since.
        @Test
        func requestsWaitForFilesThatRunShortLater() async throws {
            let server = try RawServer { .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
                let file = try ScratchFile()
                let transport = try curl { $0.connectionsPerPromptHost = 300 }
                await CurlFileLimitTests.allowFiles(64)
                for _ in 0..<3 {
                    let ends = await CurlFileLimitTests.burst(transport, CurlFileLimitTests.url(port), .plain, file)
                    #expect(ends == ["200": 300], "\(ends)")
                }
            }
            #expect(server.requests.count == 900)
        }

        @Test
        func whereNoFileCanBeOpenedTheErrorSaysSoAndLaterRequestsSucceed() async throws {
            let server = try RawServer { .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
                let url = CurlFileLimitTests.url(port)
                let transport = try curl()
                await CurlFileLimitTests.allowFiles(64)
                let taken = CurlFileLimitTests.takeAllFiles()
                let error = await #expect(throws: NetworkFailure.self) { try await transport.get(url) }
                #expect(error?.detail?.contains("Too many open files") == true, "\(error.map { "\($0)" } ?? "")")
                #expect(error?.kind != .cannotConnect)
                taken.forEach(Socket.close)
                #expect(try await transport.get(url).httpStatus == 200)
            }
        }

        @Test
        func idleConnectionsGiveWayToAnotherHost() async throws {
            let server = try RawServer { .response(body: $0.method) }
            let other = try RawServer { .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16, second = other.port as UInt16] in
                let file = try ScratchFile()
                let transport = try curl()
                _ = await CurlFileLimitTests.burst(transport, CurlFileLimitTests.url(port), .plain, file)
                await CurlFileLimitTests.allowFiles(64)
                let taken = CurlFileLimitTests.takeAllFiles()
                #expect(try await transport.get(CurlFileLimitTests.url(second)).httpStatus == 200)
                taken.forEach(Socket.close)
            }
        }

        @Test
        func aRequestThatWaitsForAFileStartsOnceOthersHaveClosedTheirs() async throws {
            let server = try RawServer { $0.path == "/stalled" ? .stalled : .response(body: $0.method) }
            await #expect(processExitsWith: .success) { [port = server.port as UInt16] in
                let url = CurlFileLimitTests.url(port)
                let transport = try curl()
                let gate = Gate()
                let stalled = url.appendingPathComponent("stalled")
                let endless = Task { try await transport.get(stalled) { $0.sink = .stream { _ in gate.open() } } }
                try await gate.wait()
                await CurlFileLimitTests.allowFiles(64)
                let taken = CurlFileLimitTests.takeAllFiles()
                let waiting = Task { try await transport.get(url) }
                try await eventually { transport.waitingCount == 1 }
                taken.forEach(Socket.close)
                #expect(try await waiting.value.httpStatus == 200)
                endless.cancel()
            }
        }

        // MARK: - In the other process

        private static func url(_ port: UInt16) -> URL {
            URL(string: "http://127.0.0.1:\(port)/") ?? URL(fileURLWithPath: "/")
        }

        private static func allowFiles(_ count: rlim_t) async {
            // Dispatch opens a file for its first timer, and ends the process where it can't.
            await withCheckedContinuation { turn in _ = SystemClock().schedule(after: 0.001) { turn.resume() } }
            var limit = rlimit(rlim_cur: count, rlim_max: 0)
            var now = rlimit()
            getrlimit(number(RLIMIT_NOFILE), &now)
            limit.rlim_max = now.rlim_max
            guard setrlimit(number(RLIMIT_NOFILE), &limit) == 0 else { exit(3) }
        }

        private static func takeAllFiles() -> [Int32] {
            var taken: [Int32] = []
            while case let file = open("/dev/null", O_RDONLY), file >= 0 { taken.append(file) }
            return taken
        }

        /// How many of 300 requests ended how.
        private static func burst(
            _ transport: CurlTransport,
            _ url: URL,
            _ kind: Kind,
            _ file: ScratchFile
        ) async -> [String: Int] {
            await withTaskGroup(of: String.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        await transport.end(of: url) {
                            switch kind {
                            case .plain: break
                            case .upload:
                                $0.method = .put
                                $0.body = .file(file.url)
                            }
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
        }
    }
#endif
