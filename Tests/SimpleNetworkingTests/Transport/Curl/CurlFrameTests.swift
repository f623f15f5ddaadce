#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing

    @testable import SimpleNetworking

    @Suite(
        "CurlTransport, unusual streams of HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates")
    )
    struct CurlFrameTests {
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        private func send(
            _ method: HTTPMethod,
            _ body: RequestBody = .none,
            to response: Data
        ) async throws -> Result<TransportResponse, any Error> {
            let server = try FrameServer(certificateIn: certificates.folder, response: response)
            let transport = try curl { $0.caFile = certificates.ca }
            return await Result(of: { try await transport.get(server.url, method: method, body: body) })
        }

        @Test
        func theErrorOfAPOSTSaysWhyItsStreamWasReset() async throws {
            let outcome = try await send(.post, .data(Data("a".utf8)), to: Frame.reset(2))
            let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
            #expect(failure?.kind == .connectionLost)
            let words = failure?.description ?? ""
            #expect(words.contains("may or may not have received") && words.contains("INTERNAL_ERROR"), "\(words)")
        }

        @Test(arguments: [HTTPMethod.get, .post])
        func aServerThatGoesAwayLosesTheConnection(method: HTTPMethod) async throws {
            let outcome = try await send(method, to: Frame.goAway + Frame.reset(7))
            let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
            #expect(failure?.kind == .connectionLost, "\(failure.map { "\($0)" } ?? "none")")
        }

        // The stream has room for 65,535 bytes (RFC 9113 §6.9.2). A reset must not make the client discard the response, but
        // if both come at once, libcurl 7.88 does.
        @Test
        func aWholeResponseCountsThoughTheServerReadsNoMore() async throws {
            let content = Data(repeating: 1, count: 1_000_000)
            let response = try await send(.post, .data(content), to: Frame.response).get()
            #expect(response.httpStatus == 200 && response.text == "ok")
        }
    }
#endif
