import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: content that is made piece by piece", .timeLimit(.minutes(2)))
struct EngineChunkTests {
    struct Broken: Error {}

    @Test(arguments: Engine.allCases, [nil, 9])
    func thePiecesArriveInOrderInEachRequest(engine: Engine, length: Int?) async throws {
        let server = try RawServer { .mirror($0) }
        let made = Locked(0)
        let body = RequestBody.chunks(
            length: length,
            BodyChunks {
                made.withLock { $0 += 1 }
                return pieces(["one", "", "two", "six"])
            }
        )
        let transport = try engine.transport()
        for _ in 0..<2 {
            #expect(try await transport.get(server.url(), method: .put, body: body).text == "onetwosix")
        }
        #expect(made.withLock { $0 } == 2)
    }

    @Test(arguments: Engine.allCases)
    func aSequenceWithoutPiecesIsEmptyContent(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let body = RequestBody.chunks(length: nil, BodyChunks { pieces([]) })
        #expect(try await engine.transport().get(server.url(), method: .post, body: body).data.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func largePiecesArriveWhole(engine: Engine) async throws {
        let server = try RawServer { .response(body: "\($0.body.count) \($0.body.last ?? 0)") }
        let body = RequestBody.chunks(
            length: nil,
            BodyChunks { AsyncStream<Data>(pieces: (1...20).map { Data(repeating: $0, count: 300_000) }) }
        )
        #expect(try await engine.transport().get(server.url(), method: .post, body: body).text == "6000000 20")
    }

    @Test(arguments: Engine.allCases)
    func anErrorOfTheSequenceEndsTheRequestWithIt(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let client = try engine.client(server)
        let request = SimpleNetworking.put("/").body(
            chunks: BodyChunks {
                AsyncThrowingStream<Data, any Error> {
                    $0.yield(Data("one".utf8))
                    $0.finish(throwing: Broken())
                }
            },
            contentType: .text
        )
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(request) }
        guard case .failed(let cause, _, _) = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(cause is Broken)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func fewerBytesThanAnnouncedAreAnError(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let body = RequestBody.chunks(length: 5, BodyChunks { pieces(["abc"]) })
        let error = await #expect(throws: NetworkFailure.self) {
            try await engine.transport().get(server.url(), method: .put, body: body)
        }
        #expect(error?.kind == .unreadableBody)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func aRetryAndARedirectMakeThePiecesAgain(engine: Engine) async throws {
        let count = Locked(0)
        let server = try RawServer { request in
            if request.path == "/moved" { return .redirect(to: "/there", status: 307) }
            let isFirst = count.withLock { count in
                defer { count += 1 }
                return count == 0
            }
            return .response(status: isFirst ? 503 : 200, body: request.text)
        }
        let client = try engine.client(server) { $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0)) }
        let chunks = BodyChunks { pieces(["a", "b"]) }
        let request = SimpleNetworking.put("/moved").body(chunks: chunks, contentType: .text)
        #expect(try await client.send(request).text == "ab")
        let requests = server.requests.map { "\($0.path) \($0.text)" }
        #expect(requests == ["/moved ab", "/there ab", "/moved ab", "/there ab"])
    }

    @Test(arguments: Engine.allCases)
    func cancellingTheRequestCancelsTheSequence(engine: Engine) async throws {
        let server = try RawServer { .mirror($0) }
        let (began, ended) = (Gate(), Gate())
        let client = try engine.client(server)
        let request = SimpleNetworking.put("/").body(
            chunks: BodyChunks {
                AsyncStream<Data> { continuation in
                    continuation.onTermination = { _ in ended.open() }
                    began.open()
                }
            },
            contentType: .text
        )
        let task = Task { try await client.send(request) }
        try await began.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await ended.wait()
    }

    @Test(arguments: Engine.allCases)
    func trailersFollowThePiecesOrAreRefused(engine: Engine) async throws {
        let server = try RawServer { .response(body: $0.trailerLines.joined(separator: "|")) }
        let transport = try engine.transport()
        let count = Locked(0)
        let body = RequestBody.chunks(
            length: nil,
            BodyChunks(trailers: { ["X-Count": "\(count.withLock { $0 })", "X-Last": "c"] }) {
                AsyncStream<Data>(pieces: ["a", "b", "c"].map { Data($0.utf8) }) { _ in count.withLock { $0 += 1 } }
            }
        )
        if Engine.sessions.contains(engine) {
            let error = await #expect(throws: SimpleNetworkingError.self) {
                try await transport.get(server.url(), method: .put, body: body)
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains("URLSession sends no trailers"))
            return
        }
        #expect(try await transport.get(server.url(), method: .put, body: body).text == "X-Count: 3|X-Last: c")
        // The next request on the same handle has none.
        let plain = RequestBody.chunks(length: nil, BodyChunks { pieces(["a"]) })
        #expect(try await transport.get(server.url(), method: .put, body: plain).text.isEmpty)
    }

    @Test(arguments: [
        ["X-A": "a\r\nX-B: b"] as HTTPHeaders, ["X A": "a"], ["Content-Length": "3"], ["transfer-encoding": "chunked"],
    ])
    func trailersThatServersCouldMistakeAreRefused(trailers: HTTPHeaders) async throws {
        let server = try RawServer { .mirror($0) }
        // URLSession refuses them all.
        guard let engine = Engine.allCases.first(where: { !Engine.sessions.contains($0) }) else { return }
        let body = RequestBody.chunks(length: nil, BodyChunks(trailers: { trailers }, { pieces(["a"]) }))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await engine.transport().get(server.url(), method: .put, body: body)
        }
        guard case .invalidRequest = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test
    func whatIsShownHasNoContent() {
        var text = ""
        dump(BodyChunks { pieces(["open sesame"]) }, to: &text)
        #expect(!text.contains("sesame"))
        let request = SimpleNetworking.put("/x").body(chunks: BodyChunks { pieces(["a"]) }, contentType: .text)
        #expect("\(RequestBody.chunks(length: 3, BodyChunks { pieces(["a"]) }))" == "a stream of 3 bytes")
        #expect(request.description == "PUT /x")
    }
}

private func pieces(_ texts: [String]) -> AsyncStream<Data> {
    AsyncStream(pieces: texts.map { Data($0.utf8) })
}

extension AsyncStream<Data> {
    fileprivate init(pieces: [Data], told: @escaping @Sendable (Data) -> Void = { _ in }) {
        let rest = Locked(pieces[...])
        self.init(unfolding: {
            let piece = rest.withLock { $0.popFirst() }
            if let piece { told(piece) }
            return piece
        })
    }
}
