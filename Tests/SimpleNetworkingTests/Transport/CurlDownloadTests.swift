#if canImport(CLibcurl)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, content to receive", .timeLimit(.minutes(1)))
    struct CurlDownloadTests {
        @Test
        func aFileReceivesTheContentOfASuccess() async throws {
            let server = try RawServer { $0.path == "/empty" ? .response() : .response(body: "new") }
            let file = try ScratchFile(Data("something old".utf8))
            let transport = try curl()
            let response = try await transport.get(server.url()) {
                $0.sink = .file(file.url, appendingPartialContent: true)
                $0.maxResponseSize = 1
            }
            #expect(response.body.isEmpty && response.status == 200)
            #expect(file.content == Data("new".utf8))
            _ = try await transport.get(server.url("/empty")) { $0.sink = .file(file.url) }
            #expect(file.content == Data())
        }

        @Test
        func aFileGrowsByPartialContentIfAskedTo() async throws {
            let server = try RawServer { _ in .response(status: 206, body: "-second") }
            let file = try ScratchFile(Data("first".utf8))
            _ = try await curl().get(server.url()) { $0.sink = .file(file.url, appendingPartialContent: true) }
            #expect(file.content == Data("first-second".utf8))
        }

        @Test(arguments: [302, 401, 404, 500])
        func theContentOfAnErrorComesInMemory(status: Int) async throws {
            let server = try RawServer { _ in .response(status: status, body: "sorry") }
            let file = try ScratchFile()
            let transport = try curl()
            let response = try await transport.get(server.url()) { $0.sink = .file(file.url) }
            #expect(response.text == "sorry")
            #expect(file.content == nil)
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
