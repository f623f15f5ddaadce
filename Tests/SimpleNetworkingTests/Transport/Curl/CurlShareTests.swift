#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    /// A transfer gets a share of the engine's time, however much its server sends.
    ///
    /// One test after another, since they keep the machine busy.
    @Suite("CurlTransport, servers that send without end", .serialized, .timeLimit(.minutes(5)))
    struct CurlShareTests {
        enum Flood: String, CaseIterable, CustomTestStringConvertible {
            case chunkExtension = "an endless chunk extension"
            case emptyBlocks = "gzip of empty blocks"
            case chunks = "endless chunks"
            case bomb = "gzip of endless zeros"

            var testDescription: String { rawValue }
            /// Whether content comes of it, which would fill the memory.
            var hasContent: Bool { self == .chunks || self == .bomb }

            var reply: RawServer.Reply {
                switch self {
                case .chunkExtension: flood("Transfer-Encoding: chunked", "1;", Data("e".utf8))
                case .emptyBlocks: flood("Content-Encoding: gzip", Self.gzipHeader, Data([0, 0, 0, 0xFF, 0xFF]))
                case .chunks: flood("Transfer-Encoding: chunked", "", Data("4\r\nabcd\r\n".utf8))
                case .bomb: flood("Content-Encoding: gzip", Self.gzipHeader, Self.zeros)
                }
            }

            private static let gzipHeader = "\u{1F}\u{8B}\u{8}\0\0\0\0\0\0\u{3}"

            /// 65,536 zeros, deflated, which may be repeated.
            private static let zeros =
                Data([0xEC, 0xC1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A])
                + Data(count: 63) + Data([0x6A, 0, 0, 0, 0xFF, 0xFF])

            private func flood(_ field: String, _ beginning: String, _ bytes: Data) -> RawServer.Reply {
                let head =
                    Data("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)
                    + Data(beginning.unicodeScalars.map { UInt8($0.value) })
                // So much that the server's pauses between two pieces don't matter.
                var many = bytes
                while many.count < 16 << 20 { many += many }
                return RawServer.Reply([.send(head), .flood(many)])
            }
        }

        /// Sends requests to such a server; each tells the recorder how long it took.
        private func flood(
            _ server: RawServer,
            through transport: CurlTransport,
            hasContent: Bool,
            count: Int,
            timeout: TimeInterval,
            _ ends: Recorder<String>
        ) async -> [Task<Duration, Never>] {
            let tasks = (0..<count).map { _ in
                Task {
                    let clock = ContinuousClock()
                    return await clock.measure {
                        let end = await transport.end(of: server.url()) {
                            $0.timeout = timeout
                            if hasContent { $0.sink = .stream { _ in } }
                        }
                        ends.add(end)
                    }
                }
            }
            await server.wait(forRequests: count)
            return tasks
        }

        @Test(arguments: Flood.allCases, [1, 8])
        func othersAreServedMeanwhile(flood: Flood, count: Int) async throws {
            let hostile = try RawServer { _ in flood.reply }
            let healthy = try RawServer { .response(body: $0.path) }
            let transport = try curl()
            let ends = Recorder<String>()
            let tasks = await self.flood(
                hostile,
                through: transport,
                hasContent: flood.hasContent,
                count: count,
                timeout: 60,
                ends
            )
            for number in 0..<200 {
                let response = try await transport.get(healthy.url("/\(number)")) { $0.timeout = 60 }
                #expect(response.text == "/\(number)")
            }
            #expect(ends.elements == [])
            tasks.forEach { $0.cancel() }
            for task in tasks { _ = await task.value }
        }

        @Test(arguments: Flood.allCases)
        func eachEndsAtItsTimeout(flood: Flood) async throws {
            let hostile = try RawServer { _ in flood.reply }
            let transport = try curl()
            let ends = Recorder<String>()
            func durations(of count: Int) async -> [Duration] {
                let tasks = await self.flood(
                    hostile,
                    through: transport,
                    hasContent: flood.hasContent,
                    count: count,
                    timeout: 1,
                    ends
                )
                var durations: [Duration] = []
                for task in tasks { durations.append(await task.value) }
                return durations
            }
            let alone = await durations(of: 1).reduce(.zero, +)
            // Eight took eight times as long as one.
            for duration in await durations(of: 8) { #expect(duration < alone * 4) }
            #expect(ends.elements == Array(repeating: "\(SimpleNetworkingError.Timeout.attempt(1))", count: 9))
        }

        /// Some versions of libcurl measure the whole value again for each line.
        @Test(arguments: [1_000, 1_001, 60_000])
        func aValueOfMoreThanAThousandFoldedLinesFails(count: Int) async throws {
            let folds = String(repeating: "\r\n b", count: count)
            let head = Data("HTTP/1.1 200 OK\r\nX-Folded: a\(folds)\r\nContent-Length: 0\r\n\r\n".utf8)
            let server = try RawServer { _ in RawServer.Reply([.send(head)]) }
            let transport = try curl()
            guard count > 1_000 else {
                let response = try await transport.get(server.url())
                #expect(response.headers["X-Folded"]?.count == 1 + 2 * count)
                return
            }
            let failure = await #expect(throws: NetworkFailure.self) { _ = try await transport.get(server.url()) }
            #expect(failure?.kind == .malformedResponse)
        }

        @Test(arguments: [true, false], [true, false])
        func fastContentArrivesWholeBesideOthers(isChunked: Bool, isStream: Bool) async throws {
            let part = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
            let content = (0..<128).reduce(into: Data()) { content, _ in content += part }
            let piece = 300_000
            let server = try RawServer { request in
                guard request.path == "/large" else { return .response(body: "small") }
                guard isChunked else { return .response(data: content) }
                var steps = [
                    RawServer.Reply.Step.send(Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
                ]
                for start in stride(from: 0, to: content.count, by: piece) {
                    let part = content[start..<min(start + piece, content.count)]
                    steps.append(.send(Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8)))
                }
                return RawServer.Reply(steps + [.send(Data("0\r\n\r\n".utf8))])
            }
            let transport = try curl()
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let streamed = Recorder<Data>()
                        let response = try await transport.get(server.url("/large")) { request in
                            guard isStream else { return }
                            request.sink = .stream { part in
                                if case .content(let data) = part { streamed.add(data) }
                            }
                        }
                        let data = isStream ? streamed.elements.reduce(into: Data()) { $0 += $1 } : response.data
                        return data == content
                    }
                }
                for _ in 0..<50 { #expect(try await transport.get(server.url("/small")).text == "small") }
                for try await isWhole in group { #expect(isWhole) }
            }
        }
    }
#endif
