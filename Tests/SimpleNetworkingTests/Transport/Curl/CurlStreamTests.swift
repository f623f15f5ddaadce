#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

    /// What arrives over HTTP/2 in one piece, before the server falls silent.
    @Suite(
        "CurlTransport, large streams of HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates")
    )
    struct CurlStreamTests {
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        /// Lines of 1,000 bytes each, and a last one for the rest.
        private static func lines(_ count: Int) -> [String] {
            let line = "x-field: " + String(repeating: "v", count: 991)
            let rest = count % 1000 > 9 ? ["x-rest: " + String(repeating: "v", count: count % 1000 - 8)] : []
            return Array(repeating: line, count: count / 1000) + rest
        }

        static let sizes = [0, 900, 15_900, 16_384, 20_000, 33_000, 65_400, 66_000, 100_000, 127_000]

        @Test(arguments: sizes, [0, 1, 200, 16_384, 70_000])
        func fieldsAndContentThatComeAtOnceArriveWhole(fields: Int, content: Int) async throws {
            let text = String(repeating: "c", count: content)
            let server = try FrameServer(certificateIn: certificates.folder) {
                [.send(Frame.fields(Self.lines(fields), stream: $0.stream) + Frame.data(text, stream: $0.stream))]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            let response = try await transport.get(server.url) { $0.timeout = 10 }
            #expect(response.data.count == content)
            #expect(response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 } == fields)
            let count = Locked(0)
            _ = try await transport.get(server.url) {
                $0.timeout = 10
                $0.sink = .stream { part in if case .content(let data) = part { count.withLock { $0 += data.count } } }
            }
            #expect(count.withLock { $0 } == content)
        }

        @Test(arguments: [132_000, 140_000, 200_000, 300_000])
        func fieldsBeyondTheLimitAreTooLarge(fields: Int) async throws {
            let frames = Frame.fields(Self.lines(fields)) + Frame.data("content")
            let server = try FrameServer(certificateIn: certificates.folder) { _ in [.send(frames)] }
            let transport = try curl { $0.caFile = certificates.ca }
            let failure = await #expect(throws: NetworkFailure.self) { try await transport.get(server.url) }
            #expect(failure?.kind == .malformedResponse)
            #expect(failure?.description.contains("the header fields are too large") == true, "\(failure as Any)")
        }

        /// Those of the other streams arrive while libcurl reads for one of them.
        @Test(arguments: [900, 20_000, 70_000])
        func manyStreamsOfOneConnectionArriveWhole(fields: Int) async throws {
            let waiting = Recorder<UInt8>()
            let content = String(repeating: "c", count: 50_000)
            let server = try FrameServer(certificateIn: certificates.folder) { request in
                guard request.earlierHere > 0 else { return [.send(Frame.response)] }
                waiting.add(request.stream)
                guard waiting.elements.count == 20 else { return [] }
                return waiting.elements.map { stream in
                    .send(Frame.fields(Self.lines(fields), stream: stream) + Frame.data(content, stream: stream))
                }
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await transport.get(server.url) { $0.timeout = 20 }.data.count } }
                for try await count in group { #expect(count == content.utf8.count) }
            }
            #expect(server.requests.allSatisfy { $0.connection == 1 })
        }
    }
#endif
