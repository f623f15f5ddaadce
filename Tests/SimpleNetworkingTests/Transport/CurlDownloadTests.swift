#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite("CurlTransport, content to receive", .timeLimit(.minutes(5)))
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

        @Test
        func theFileIsClosedWhenTheContentIsThereAndWhenItIsCutShort() async throws {
            let server = try RawServer { $0.path == "/cut" ? .truncated : .response(body: "new") }
            let transport = try curl()
            for path in ["/", "/cut"] {
                let file = try ScratchFile()
                _ = try? await transport.get(server.url(path)) { $0.sink = .file(file.url) }
                #expect(file.content?.isEmpty == false)
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
                }
                #expect(!open.contains { $0.hasSuffix(file.url.lastPathComponent) })
            }
        }

        @Test(arguments: [302, 401, 404, 500])
        func theContentOfAnErrorComesInMemory(status: Int) async throws {
            let server = try RawServer { _ in .response(status: status, body: "sorry") }
            let file = try ScratchFile()
            let response = try await curl().get(server.url()) { $0.sink = .file(file.url) }
            #expect(response.text == "sorry")
            #expect(file.content == nil)
        }

        @Test
        func aFileThatCannotBeWrittenIsAnError() async throws {
            let server = try RawServer { _ in .response(body: "new") }
            let error = await #expect(throws: NetworkFailure.self) {
                try await curl().get(server.url()) { $0.sink = .file(URL(fileURLWithPath: "/does/not/exist")) }
            }
            #expect(error?.description.contains("No such file") == true)
        }

        @Test(arguments: [true, false])
        func aLinkIsNotWrittenThrough(appends: Bool) async throws {
            let server = try RawServer { _ in .response(status: 206, body: "new") }
            let victim = try ScratchFile(Data("precious".utf8))
            let links = [try ScratchFile(), try ScratchFile()]
            try FileManager.default.createSymbolicLink(at: links[0].url, withDestinationURL: victim.url)
            try FileManager.default.linkItem(at: victim.url, to: links[1].url)
            for link in links {
                await #expect(throws: NetworkFailure.self) {
                    try await curl().get(server.url()) {
                        $0.sink = .file(link.url, appendingPartialContent: appends)
                    }
                }
            }
            #expect(victim.content == Data("precious".utf8))
        }
    }
#endif
