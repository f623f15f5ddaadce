#if os(Linux)
    import Foundation
    import SimpleNetworkingTestSupport
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore
    @testable import SimpleNetworkingCaching

    /// Processes that are killed while they store responses: this test's own program, run again.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct CacheCrashTests {
        private static let folder = ProcessInfo.processInfo.environment["SIMPLENETWORKING_CACHE_TO_FILL"]
        private static let paths = 0..<12

        @Test
        func afterAnyKillOnlyWholeResponsesAreGiven() async throws {
            let folder = ScratchFolder()
            var given = 0
            var restarts = Set<Int>()
            let rounds = Storm.size(5, full: 50)
            for _ in 0..<rounds {
                try Self.fillUntilKilled(folder.url, after: Int.random(in: 1...20))
                let world = CachedWorld(folder: folder.url, memoryLimit: 0, diskLimit: 200_000)
                for path in Self.paths {
                    let (end, response) = await world.send(.get, "/\(path)", [:], .onlyCached)
                    if end == .notCached { continue }
                    #expect(end == .hit && response.map(Self.isWhole) == true)
                    given += 1
                }
                let size = await world.cache.size().disk
                restarts.insert(size)
                #expect(size <= 200_000)
            }
            // It was not because of an empty folder.
            #expect(given > 2 * rounds && restarts.count > rounds / 10)
        }

        /// Does nothing unless it is run by the test above.
        @Test(.enabled(if: folder != nil))
        func fill() async throws {
            let folder = URL(fileURLWithPath: try #require(Self.folder))
            let world = CachedWorld(folder: folder, memoryLimit: 0, diskLimit: 200_000)
            world.server.on("*") { request in
                let line = "\(request.url.path) \(Int.random(in: 0...999_999))\n"
                let body = String(repeating: line, count: Int.random(in: 1...900))
                return .text(body, headers: ["Cache-Control": "max-age=60", "X-Length": "\(body.utf8.count)"])
            }
            while true {
                await world.send(.get, "/\(Self.paths.randomElement() ?? 0)", [:], .reload)
                FileHandle.standardError.write(Data("#".utf8))
            }
        }

        /// Runs a process that stores responses, and kills it when it has stored so many, or a few more.
        private static func fillUntilKilled(_ folder: URL, after count: Int) throws {
            let process = try ChildProcess(
                FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
                ["--testing-library", "swift-testing", "--filter", "CacheCrashTests/fill"],
                environment: ["SIMPLENETWORKING_CACHE_TO_FILL": folder.path],
                readsErrors: true
            )
            // The standard error ends when the process has ended by itself, which it never should.
            var seen = 0
            while seen < count {
                let bytes = process.output.availableData
                if bytes.isEmpty { break }
                seen += bytes.filter { $0 == UInt8(ascii: "#") }.count
            }
            process.kill()
            #expect(process.wait() == -SIGKILL)
        }

        private static func isWhole(_ response: SimpleResponse) -> Bool {
            let lines = (response.text ?? "").split(separator: "\n", omittingEmptySubsequences: true)
            return Int(response.headers["X-Length"] ?? "") == response.data.count && !lines.isEmpty
                && Set(lines).count == 1 && lines[0].hasPrefix(response.request.url.path + " ")
        }
    }
#endif
