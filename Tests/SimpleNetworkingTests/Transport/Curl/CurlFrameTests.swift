#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport, unusual streams of HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates")
    )
    struct CurlFrameTests {
        private static let lost = NetworkFailure.Kind.connectionLost.rawValue
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        private func send(
            _ method: HTTPMethod,
            _ body: RequestBody = .none,
            to response: Data
        ) async throws -> Result<TransportResponse, any Error> {
            let server = try FrameServer(certificateIn: certificates.folder, responses: [response])
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

        @Test
        func aServerThatGoesAwayLosesTheConnection() async throws {
            let outcome = try await send(.get, to: Frame.goAway() + Frame.reset(7))
            let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
            #expect(failure?.kind == .connectionLost, "\(failure.map { "\($0)" } ?? "none")")
        }

        @Test(arguments: [Frame.reset(7), Frame.goAway(), Frame.goAway() + Frame.reset(7)])
        func aPOSTThatTheServerRefusesOnANewConnectionIsSentAgain(refusal: Data) async throws {
            #expect(try await posts(to: [refusal, Frame.response]) == ["resent", "200"])
        }

        @Test
        func aPOSTThatComesAfterTheEndOfAKeptConnectionIsSentAgain() async throws {
            #expect(
                try await posts(2, to: [Frame.response, Frame.goAway(after: 1), Frame.response]).suffix(2) == [
                    "resent", "200",
                ]
            )
        }

        // The second request's stream has the number 3.
        @Test(arguments: [Frame.goAway(after: 3) + Frame.reset(2, stream: 3), Frame.reset(8, stream: 3)])
        func aPOSTThatTheServerMayHaveProcessedIsNotSentAgain(end: Data) async throws {
            #expect(try await posts(2, to: [Frame.response, end, Frame.response]) == ["200", Self.lost])
        }

        // RFC 9113 §8.1: the reset says that the server doesn't need the rest of the request.
        @Test
        func aStreamThatIsResetWithoutAnErrorBeforeItsLengthIsReachedLosesTheConnection() async throws {
            #expect(try await posts(to: [Frame.short + Frame.reset(0)]) == [Self.lost])
        }

        static let malformed: [String: Data] = [
            "a name in capitals": Frame.fields(["X-Upper: 1"]) + Frame.data("ok"),
            "no status": Frame.fields(["x-one: 1"], status: nil) + Frame.data("ok"),
            "two statuses": Frame.fields([":status: 204"]) + Frame.data("ok"),
            "a status behind a field": Frame.fields(["x-one: 1", ":status: 200"], status: nil) + Frame.data("ok"),
            "a status that is no number": Frame.fields(status: "2x0") + Frame.data("ok"),
            "a field of the connection": Frame.fields(["connection: close"]) + Frame.data("ok"),
            "chunks": Frame.fields(["transfer-encoding: chunked"]) + Frame.data("ok"),
            "a line break in a value": Frame.fields(["x-one: 1\nx-two: 2"]) + Frame.data("ok"),
            "less than its length": Frame.fields(["content-length: 5"]) + Frame.data("ok"),
            "more than its length": Frame.fields(["content-length: 1"]) + Frame.data("ok"),
            "two lengths": Frame.fields(["content-length: 2", "content-length: 3"]) + Frame.data("ok"),
            "content before its fields": Frame.data("ok"),
            "fields that can't be decoded": Frame.frame(Frame.headers, flags: 4, [255, 255, 255, 255, 255, 255, 255]),
            "a field of more than 64 KB": Frame.fields(["x-one: " + String(repeating: "1", count: 70_000)]),
            "an interim response that ends": Frame.fields(status: "103", endsStream: true),
            "HTTP/1.1": Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
        ]

        @Test(arguments: malformed.keys.sorted(), [HTTPMethod.get, .post])
        func aResponseThatBreaksTheRulesIsMalformed(name: String, method: HTTPMethod) async throws {
            let outcome = try await send(method, to: #require(Self.malformed[name]))
            let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
            #expect(failure?.kind == .malformedResponse, "\(failure.map { "\($0)" } ?? "none")")
        }

        /// What comes of so many requests, one after the other, and which of them are sent again.
        private func posts(_ count: Int = 1, to responses: [Data]) async throws -> [String] {
            let server = try FrameServer(certificateIn: certificates.folder, responses: responses)
            let transport = try curl { $0.caFile = certificates.ca }
            let events = Recorder<String>()
            for _ in 0..<count {
                do {
                    let body = RequestBody.data(Data("a".utf8))
                    let response = try await transport.get(server.url, method: .post, body: body) {
                        $0.report = { if case .resent = $0 { events.add("resent") } }
                    }
                    events.add("\(response.httpStatus)")
                } catch { events.add(name(of: error)) }
            }
            return events.elements
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
