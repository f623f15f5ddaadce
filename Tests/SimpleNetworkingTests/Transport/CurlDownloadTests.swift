#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, content to receive", .timeLimit(.minutes(1)))
    struct CurlDownloadTests {
        // 11 bytes, "hello hello", as gzip makes them.
        private static let gzip = Data([
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x00,
            0x91, 0x00, 0x40, 0xA6, 0x2D, 0x01, 0x0B, 0x00, 0x00, 0x00,
        ])

        @Test
        func contentIsDecompressed() async throws {
            let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: Self.gzip) }
            let response = try await curl().get(server.url())
            #expect(response.text == "hello hello")
            #expect(response.metrics.bytesReceived == Self.gzip.count)
            #expect(server.requests.first?[header: "Accept-Encoding"]?.contains("gzip") == true)
        }

        @Test
        func theLimitCountsWhatIsDecompressed() async throws {
            let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: Self.gzip) }
            let transport = try curl()
            #expect(await transport.end(of: server.url()) { $0.maxResponseSize = 11 } == "200")
            #expect(await transport.end(of: server.url()) { $0.maxResponseSize = 10 } == "tooLarge")
        }

        @Test
        func endlessContentEndsAtTheLimit() async throws {
            let server = try RawServer { _ in .endless }
            #expect(try await curl().end(of: server.url()) { $0.maxResponseSize = 1 << 20 } == "tooLarge")
            await server.wait { $0.closed == 1 }
        }

        @Test(arguments: ["/", "/chunked"], [9, 10, 11])
        func contentMayBeAsLargeAsTheLimitAndNoLarger(path: String, limit: Int) async throws {
            let server = try RawServer {
                $0.path == "/chunked" ? .chunked(["12345", "67890"]) : .response(body: "1234567890")
            }
            let end = try await curl().end(of: server.url(path)) { $0.maxResponseSize = limit }
            #expect(end == (limit < 10 ? "tooLarge" : "200"))
        }

        @Test(arguments: [0, 1, 14, 15, 32 << 10, (32 << 10) + 1, 5_000_000], [true, false])
        func contentOfAnySizeArrivesWhole(size: Int, isChunked: Bool) async throws {
            let text = String(repeating: "0123456789abcdef", count: size / 16 + 1).prefix(size)
            let server = try RawServer { _ in
                isChunked ? .chunked(text.isEmpty ? [] : [String(text)]) : .response(body: String(text))
            }
            let transport = try curl()
            for _ in 0..<2 { #expect(try await transport.get(server.url()).body == Data(text.utf8)) }
        }

        @Test
        func aFileReceivesTheContentOfASuccess() async throws {
            let server = try RawServer { $0.path == "/empty" ? .response() : .response(body: "new") }
            let file = try CurlTesting.file(Data("something old".utf8))
            defer { try? FileManager.default.removeItem(at: file) }
            let transport = try curl()
            let response = try await transport.get(server.url()) {
                $0.sink = .file(file, appendingPartialContent: true)
                $0.maxResponseSize = 1
            }
            #expect(response.body.isEmpty && response.status == 200)
            #expect(try Data(contentsOf: file) == Data("new".utf8))
            _ = try await transport.get(server.url("/empty")) { $0.sink = .file(file) }
            #expect(try Data(contentsOf: file).isEmpty)
        }

        @Test
        func aFileGrowsByPartialContentIfAskedTo() async throws {
            let server = try RawServer { _ in .response(status: 206, body: "-second") }
            let file = try CurlTesting.file(Data("first".utf8))
            defer { try? FileManager.default.removeItem(at: file) }
            _ = try await curl().get(server.url()) { $0.sink = .file(file, appendingPartialContent: true) }
            #expect(try Data(contentsOf: file) == Data("first-second".utf8))
        }

        @Test(arguments: [302, 401, 404, 500])
        func theContentOfAnErrorComesInMemory(status: Int) async throws {
            let server = try RawServer { _ in .response(status: status, body: "sorry") }
            let file = try CurlTesting.file()
            let transport = try curl()
            let response = try await transport.get(server.url()) { $0.sink = .file(file) }
            #expect(response.text == "sorry")
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let streamed = try await transport.get(server.url()) {
                $0.sink = .stream { _ in Issue.record("nothing may come here") }
            }
            #expect(streamed.text == "sorry")
        }

        @Test
        func aFileThatCannotBeWrittenIsAnError() async throws {
            let server = try RawServer { _ in .response(body: "new") }
            let error = await #expect(throws: NetworkFailure.self) {
                try await curl().get(server.url()) { $0.sink = .file(URL(fileURLWithPath: "/does/not/exist")) }
            }
            #expect(error?.description.contains("No such file") == true)
        }

        @Test
        func aStreamReceivesTheHeadAndThenEveryPiece() async throws {
            let latches = [RawServer.Latch(), RawServer.Latch()]
            let server = try RawServer { _ in .parts([(latches[0], "one"), (latches[1], "two")]) }
            let seen = Locked<[String]>([])
            let response = try await curl().get(server.url()) {
                $0.sink = .stream { part in
                    switch part {
                    case .head(let status, let headers):
                        seen.withLock { $0.append("\(status) \(headers["Content-Length"] ?? "")") }
                        latches[0].open()
                    case .content(let data):
                        seen.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
                        latches[1].open()
                    }
                }
            }
            #expect(seen.withLock { $0 } == ["200 6", "one", "two"])
            #expect(response.status == 200 && response.body.isEmpty)
        }

        @Test
        func whatAStreamThrowsEndsTheTransfer() async throws {
            let server = try RawServer { _ in .endless }
            await #expect(throws: POSIXError.self) {
                try await curl().get(server.url()) { $0.sink = .stream { _ in throw POSIXError(.EPIPE) } }
            }
            await server.wait { $0.closed == 1 }
        }

        @Test
        func aStreamThatIsCutShortEndsInAnError() async throws {
            let server = try RawServer { _ in .truncated }
            let seen = Locked(Data())
            let end = try await curl().end(of: server.url()) {
                $0.sink = .stream { if case .content(let data) = $0 { seen.withLock { $0 += data } } }
            }
            #expect(end == NetworkFailure.Kind.connectionLost.rawValue)
            #expect(seen.withLock { $0 } == Data("0123456789".utf8))
        }
    }
#endif
