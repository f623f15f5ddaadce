#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import SimpleNetworkingTesting
    import Testing

    @testable import SimpleNetworking

    // Time is measured in processes where nothing else takes any. A busy machine only lowers it.
    @Suite("CurlTransport, and how much of the processor decoding takes", .serialized, .timeLimit(.minutes(5)))
    struct CurlRestTests {
        @Test
        func whatDecodesToNothingTakesLessThanHalfACore() async throws {
            await #expect(processExitsWith: .success) {
                let share = try await processorShare(of: .emptyBlocks)
                #expect(Sanitizer.isOn || share < 0.5, "\(share) cores")
            }
        }

        @Test(.enabled(if: cores > 1, "a single core has no other to leave"))
        func bombsLeaveTimeToOtherWork() async throws {
            await #expect(processExitsWith: .success) {
                let share = try await processorShare(of: .bomb)
                #expect(Sanitizer.isOn || share < Double(cores) * 0.8, "\(share) of \(cores) cores")
            }
        }

        @Test(arguments: [true, false])
        func largeContentArrivesWholeAfterManyRests(isStream: Bool) async throws {
            let content = try ChildProcess.output(of: "seq 1 3000000")
            let encoded = try ChildProcess.output(of: "seq 1 3000000 | gzip")
            let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: encoded) }
            let transport = try curl()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let streamed = Recorder<Data>()
                        let response = try await transport.get(server.url()) { request in
                            guard isStream else { return }
                            request.sink = .stream { part in
                                if case .content(let data) = part { streamed.add(data) }
                            }
                        }
                        let data = isStream ? streamed.elements.reduce(into: Data()) { $0 += $1 } : response.data
                        return data == content
                    }
                }
                for try await isWhole in group { #expect(isWhole) }
            }
        }
    }

    private let cores = ProcessInfo.processInfo.activeProcessorCount

    /// Returns how many cores the process uses while sixteen servers flood it for two seconds.
    private func processorShare(of flood: CurlShareTests.Flood) async throws -> Double {
        let server = try RawServer { _ in flood.reply }
        let transport = try curl { $0.connectionsPerHost = 16 }
        let start = ContinuousClock.now, before = ProcessUsage.processorTime
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await transport.end(of: server.url()) {
                        $0.timeout = 2
                        if flood.hasContent { $0.sink = .stream { _ in } }
                    }
                }
            }
            for await end in group { #expect(end == "\(SimpleNetworkingError.Timeout.attempt(2))") }
        }
        let duration = ContinuousClock.now - start
        return (ProcessUsage.processorTime - before) / duration
    }
#endif
