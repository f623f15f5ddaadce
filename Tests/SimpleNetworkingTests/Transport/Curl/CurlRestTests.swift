#if canImport(CLibcurl) && os(Linux) && compiler(>=6.2)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport, and where and for how long it decodes", .serialized, .timeLimit(.minutes(5)))
    struct CurlRestTests {
        @Test
        func whatDecodesToNothingKeepsNoCoreBusy() async throws {
            await #expect(processExitsWith: .success) {
                let share = try await decodingShare(of: .emptyBlocks)
                // A tenth of a core is theirs; without rests they take one.
                #expect(Sanitizer.isOn || share < 0.4, "\(share) cores")
            }
        }

        @Test
        func whatTakesLongToDecodeLeavesTheThreadsOfOtherRequests() async throws {
            let flood = CurlShareTests.Flood.bomb
            let server = try RawServer { _ in flood.reply }
            let task = Task {
                try await curl().get(server.url()) { request in
                    request.sink = .stream { _ in if isOnDecodingThread() { throw CancellationError() } }
                }
            }
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }

        @Test
        func whatTakesNoTimeToDecodeStaysOnTheThreadsOfOtherRequests() async throws {
            let encoded = try ChildProcess.output(of: "seq 1 1000 | gzip")
            let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: encoded) }
            let transport = try curl()
            let strays = Recorder<String>()
            for number in 0..<200 {
                _ = try await transport.get(server.url("/\(number)")) { request in
                    request.sink = .stream { _ in if isOnDecodingThread() { strays.add("\(number)") } }
                }
            }
            #expect(strays.elements == [])
        }

        @Test
        func largePlainContentStaysOnTheThreadsOfOtherRequests() async throws {
            let server = try RawServer { _ in .response(data: Data(repeating: 65, count: 64 << 20)) }
            let transport = try curl()
            let strays = Recorder<Int>()
            _ = try await transport.get(server.url()) { request in
                request.sink = .stream { part in
                    if case .content(let data) = part, isOnDecodingThread() { strays.add(data.count) }
                }
            }
            #expect(strays.elements == [])
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

    private func isOnDecodingThread() -> Bool {
        typealias Label = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>
        guard let address = dlsym(nil, "dispatch_queue_get_label") else { return false }
        let label = unsafeBitCast(address, to: Label.self)
        return String(cString: label(nil)) == DispatchQueue.global(qos: .utility).label
    }

    /// Returns how many cores the decoding threads of this process use while sixteen servers flood it for two seconds.
    ///
    /// Other threads don't count: those of the servers take more time than all else, and more on a slower machine.
    private func decodingShare(of flood: CurlShareTests.Flood) async throws -> Double {
        let server = try RawServer { _ in flood.reply }
        let transport = try curl { $0.connectionsPerHost = 16 }
        let start = ContinuousClock.now
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
        return try decodingTime() / (ContinuousClock.now - start)
    }

    /// Returns the processor time of the threads that decode, by proc_pid_stat(5).
    ///
    /// Dispatch keeps them for a while.
    private func decodingTime() throws -> Duration {
        let tasks = URL(fileURLWithPath: "/proc/self/task")
        let stats = try FileManager.default.contentsOfDirectory(at: tasks, includingPropertiesForKeys: nil).compactMap {
            // A thread may have ended meanwhile.
            try? String(contentsOf: $0.appendingPathComponent("stat"), encoding: .utf8)
        }
        let ticks = stats.filter { $0.contains("utility-qos)") }.map { stat in
            // Behind the name, which may have spaces, the state is the first field; the times are the 12th and 13th.
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ").dropFirst()
            return fields.dropFirst(11).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) }
        }
        return .seconds(ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
#endif
