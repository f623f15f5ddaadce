#if canImport(CLibcurl) && os(Linux)
    import Foundation
    import SimpleNetworkingSupport
    import Testing
    @testable import SimpleNetworkingCore

    @Suite(
        "CurlTransport, kept connections of HTTP/2",
        .timeLimit(.minutes(5)),
        .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed for certificates")
    )
    struct CurlKeptStreamTests {
        let certificates: NginxServer

        init() throws { certificates = try #require(NginxServer.shared) }

        /// How a server ends a connection in place of a response to the stream with the number 3.
        static let ends: [[FrameServer.Step]] = [
            [.end], [.cut], [.reset], [.send(Frame.goAway(after: 3)), .end], [.send(Frame.goAway(after: 3)), .cut],
            [.send(Frame.goAway(after: 3, error: 2)), .end], [.send(Frame.goAway(after: 1)), .end],
            [.send(CurlStreamEndTests.badPing)],
        ]

        static let requests: [(method: HTTPMethod, headers: HTTPHeaders)] = [
            (.get, [:]), (.put, [:]), (.delete, [:]), (.post, ["Idempotency-Key": "1"]), (.post, [:]), (.patch, [:]),
        ]

        private func body(of method: HTTPMethod) -> RequestBody {
            method == .get || method == .delete ? .none : .data(Data("content".utf8))
        }

        @Test(arguments: requests.indices, ends.indices)
        func aRequestOnAConnectionThatEndsIsResentOnceAtMost(request: Int, end: Int) async throws {
            let (method, headers) = Self.requests[request]
            let server = try FrameServer(certificateIn: certificates.folder) {
                $0.earlierHere == 0 ? [.send(Frame.response)] : Self.ends[end]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            let resends = Locked(0)
            let outcome = await Result(of: {
                try await transport.get(server.url, method: method, headers: headers, body: body(of: method)) {
                    $0.report = { if case .resent = $0 { resends.withLock { $0 += 1 } } }
                }
            })
            // The last but one says that the server hasn't processed the request.
            let isResent = !headers.fields.isEmpty || method.isIdempotent || end == Self.ends.count - 2
            #expect(server.requests.count == (isResent ? 3 : 2))
            #expect(resends.withLock { $0 } == (isResent ? 1 : 0))
            if isResent {
                #expect(try outcome.get().text == "ok")
            } else {
                let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
                #expect(failure?.kind == .connectionLost)
            }
        }

        /// Every connection but the first ends at its first request.
        @Test(arguments: ends.indices)
        func aRequestThatBreaksEveryConnectionIsSentTwice(end: Int) async throws {
            let server = try FrameServer(certificateIn: certificates.folder) {
                $0.earlier == 0 ? [.send(Frame.response)] : Self.ends[end]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            await #expect(throws: NetworkFailure.self) { try await transport.get(server.url) { $0.timeout = 10 } }
            #expect(server.requests.count == 3)
        }

        /// The connection remains, and another request can use it.
        @Test(arguments: [0, 1, 2, 8, 11] as [UInt8])
        func aRequestWhoseStreamIsResetIsNotResent(error: UInt8) async throws {
            let server = try FrameServer(certificateIn: certificates.folder) {
                $0.earlier == 1
                    ? [.send(Frame.reset(error, stream: $0.stream))] : [.send(Frame.whole("ok", stream: $0.stream))]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            await #expect(throws: NetworkFailure.self) { try await transport.get(server.url) }
            #expect(server.requests.count == 2)
            _ = try await transport.get(server.url)
            #expect(server.requests.map(\.connection) == [1, 1, 1])
        }

        @Test(
            arguments: [
                [.end], [.cut], [.reset], [.send(Frame.goAway(after: 1)), .end],
                [.send(Frame.frame(6, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])), .end],
            ] as [[FrameServer.Step]]
        )
        func aPOSTUsesNoConnectionThatHasEndedMeanwhile(end: [FrameServer.Step]) async throws {
            let latch = RawServer.Latch()
            let server = try FrameServer(certificateIn: certificates.folder) {
                [.send(Frame.whole("ok", stream: $0.stream))] + ($0.earlier == 0 ? [.hold(latch)] + end : [])
            }
            let transport = try curl { $0.caFile = certificates.ca }
            _ = try await transport.get(server.url)
            latch.open()
            await server.waitForEnds()
            let response = try await transport.get(server.url, method: .post, body: .data(Data("content".utf8)))
            #expect(response.text == "ok")
            #expect(server.requests.map(\.connection) == [1, 2])
        }

        @Test
        func aConnectionThatOnlyAsksIsKept() async throws {
            let ping = Frame.frame(6, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])
            let server = try FrameServer(certificateIn: certificates.folder) {
                [.send(Frame.whole("ok", stream: $0.stream)), .send(ping)]
            }
            let transport = try curl { $0.caFile = certificates.ca }
            for _ in 0..<5 { #expect(try await transport.get(server.url, method: .post).text == "ok") }
            #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1])
        }
    }
#endif
