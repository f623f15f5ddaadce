#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingTesting
    import Testing
    @testable import SimpleNetworkingCore

    @Suite("CurlTransport and content codings", .timeLimit(.minutes(5)))
    struct CurlCodingTests {
        @Test(arguments: CodedContent.all)
        func contentIsDecodedInMemoryAndInStreams(content: CodedContent) async throws {
            #expect(try await ends(of: [content]) == [End(CodedContent.plain)])
        }

        @Test(arguments: CodedContent.all)
        func contentThatEndsTooEarlyIsMalformed(content: CodedContent) async throws {
            let pieces = (1..<content.data.count).map { CodedContent(content.coding, content.data.prefix($0)) }
            for end in try await ends(of: pieces) {
                #expect(end.error?.contains("cut short") == true && CodedContent.plain.starts(with: end.content))
            }
        }

        @Test(arguments: CodedContent.all)
        func contentWithFaultsEndsAlikeInMemoryAndInStreams(content: CodedContent) async throws {
            var generator = SeededGenerator(seed: UInt64(content.data.count))
            let faulty = (0..<200).map { _ in
                var data = content.data
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    data[Int.random(in: 0..<data.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                return CodedContent(content.coding, data)
            }
            _ = try await ends(of: faulty)
        }

        @Test
        func theErrorNamesTheCodingAndTheFault() async throws {
            let text = Data("no gzip".utf8)
            let error = try await ends(of: [CodedContent("gzip", text)]).first?.error ?? ""
            #expect(error.contains("its content is not valid gzip: incorrect header check"))
        }

        @Test
        func membersOfGzipAndFramesOfZstdFollowEachOther() async throws {
            for content in [CodedContent.gzip, .zstd] {
                let twice = CodedContent(content.coding, content.data + content.data)
                #expect(try await ends(of: [twice]) == [End(CodedContent.plain + CodedContent.plain)])
            }
        }

        @Test(arguments: CodedContent.all)
        func bytesBehindTheContentAreMalformed(content: CodedContent) async throws {
            let longer = CodedContent(content.coding, content.data + Data("garbage".utf8))
            let end = try #require(try await ends(of: [longer]).first)
            #expect(end.error?.contains("its content is not valid") == true)
        }

        @Test(arguments: CodedContent.all)
        func noBytesAreNoContent(content: CodedContent) async throws {
            #expect(try await ends(of: [CodedContent(content.coding, Data())]) == [End(Data())])
        }

        @Test(arguments: ["gzip, gzip, gzip, gzip, gzip, gzip", "br, br", "br, gzip, zstd"])
        func contentWithTooManyCodingsIsMalformed(coding: String) async throws {
            let end = try #require(try await ends(of: [CodedContent(coding, Data("x".utf8))]).first)
            #expect(end.error?.contains("too many content codings") == true)
        }

        // RFC 9659 §3: 8 MB at most.
        @Test(arguments: [(UInt8(23), true), (24, false)])
        func aWindowOfZstdHasALimit(window: (log: UInt8, isAccepted: Bool)) async throws {
            let bomb = CodedContent.zstdBomb(windowLog: window.log)
            let server = try server(of: [bomb])
            let end = await (try curl()).end(of: server.url("/0")) { $0.sink = .stream { _ in } }
            #expect(end == (window.isAccepted ? "200" : NetworkFailure.Kind.malformedResponse.rawValue))
        }

        @Test(arguments: ["gzip, chunked", "chunked, gzip", "br"])
        func aTransferCodingThatWasNotRequestedIsMalformed(coding: String) async throws {
            let server = try RawServer { _ in
                .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n2\r\nhi\r\n0\r\n\r\n")
            }
            let transport = try curl()
            let failure = await #expect(throws: NetworkFailure.self) { try await transport.get(server.url()) }
            #expect(failure?.kind == .malformedResponse && failure?.detail?.contains("Transfer-Encoding") == true)
        }

        @Test
        func aRedirectIsFollowedWhateverItsContentDecodesTo() async throws {
            let server = try RawServer {
                $0.path == "/"
                    ? .response(
                        status: 302,
                        headers: ["Location": "/next", "Content-Encoding": "gzip"],
                        data: Data(repeating: 1, count: 300_000)
                    )
                    : .response(body: "next")
            }
            let client = try Engine.curl.client(server)
            #expect(try await client.send(SimpleNetworking.get("/")).text == "next")
        }

        // Blocks that decode to nothing, compressed twice more.
        @Test
        func theTimeoutAppliesToDecodingTooOnceAllContentHasArrived() async throws {
            let empty = Data((0..<1_000_000).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] })
            let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
            let (start, blocks) = (try ScratchFile(header), try ScratchFile(empty))
            let repeated = Array(repeating: blocks.url.path, count: 60).joined(separator: " ")
            let data = try ChildProcess.output(of: "cat \(start.url.path) \(repeated) | gzip -1 | gzip")
            let server = try server(of: [CodedContent("gzip, gzip, gzip", data)])
            let transport = try curl()
            for isStreamed in [false, true] {
                let end = await transport.end(of: server.url("/0")) {
                    $0.timeout = 0.3
                    if isStreamed { $0.sink = .stream { _ in } }
                }
                #expect(end.contains("within its timeout"), "\(end)")
            }
        }

        /// What a request ends with: the content, and the words of the error behind it.
        struct End: Equatable {
            let content: Data
            let error: String?

            init(_ content: Data, error: String? = nil) {
                self.content = content
                self.error = error
            }
        }

        /// Requests each in memory and as a stream, and expects that both end alike.
        private func ends(of contents: [CodedContent]) async throws -> [End] {
            let server = try server(of: contents)
            let transport = try curl()
            var ends: [End] = []
            for index in contents.indices {
                let stream = StreamRecorder()
                let streamed = await error(of: transport, server.url("/\(index)")) { $0.sink = stream.sink }.error
                let inMemory = await error(of: transport, server.url("/\(index)"))
                #expect(streamed == inMemory.error)
                if inMemory.error == nil { #expect(stream.content == inMemory.content) }
                ends.append(End(stream.content, error: streamed))
            }
            return ends
        }

        private func error(
            of transport: CurlTransport,
            _ url: URL,
            _ change: (inout TransportRequest) -> Void = { _ in }
        ) async -> End {
            do {
                return End(try await transport.get(url, change).data)
            } catch {
                return End(Data(), error: "\(error)")
            }
        }

        private func server(of contents: [CodedContent]) throws -> RawServer {
            try RawServer { request in
                let content = contents[Int(request.path.dropFirst()) ?? 0]
                return .response(headers: ["Content-Encoding": content.coding], data: content.data)
            }
        }
    }
#endif
