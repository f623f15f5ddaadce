import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite("Every engine: content as a stream", .serialized, .timeLimit(.minutes(5)))
struct EngineStreamTests {
    @Test(arguments: Engine.allCases)
    func aStreamReceivesTheHeadAndThenEveryPiece(engine: Engine) async throws {
        let latches = [RawServer.Latch(), RawServer.Latch()]
        if engine.lacks(.pieces) { latches.forEach { $0.open() } }
        let server = try RawServer { _ in .parts([(latches[0], "one"), (latches[1], "two")]) }
        let stream = StreamRecorder { latches[min($0, 1)].open() }
        let response = try await engine.transport().get(server.url()) { $0.sink = stream.sink }
        #expect(stream.heard == ["200 6"] + (engine.lacks(.pieces) ? ["onetwo"] : ["one", "two"]))
        #expect(response.httpStatus == 200 && response.data.isEmpty)
        #expect(response.headers["Content-Length"] == "6")
        #expect(response.metrics.bytesReceived == 6)
    }

    @Test(arguments: Engine.allCases, ["/", "/chunked"])
    func streamedContentIsCompleteBeyondTheSizeLimit(engine: Engine, path: String) async throws {
        let text = String(repeating: "0123456789abcde\n", count: 300_000)
        let server = try RawServer { $0.path == "/" ? .response(body: text) : .chunked([text, text]) }
        let stream = StreamRecorder()
        _ = try await engine.transport().get(server.url(path)) {
            $0.sink = stream.sink
            $0.maxResponseSize = 1
        }
        #expect(stream.content == Data((path == "/" ? text : text + text).utf8))
    }

    @Test(arguments: Engine.allCases)
    func aStreamIsCalledInTheTaskThatSendsOneCallAtATime(engine: Engine) async throws {
        let server = try RawServer { _ in .response(data: Data(repeating: 1, count: 3_000_000)) }
        let transport = try engine.transport()
        let calls = Locked((now: 0, most: 0, strangers: 0))
        try await Place.$current.withValue("here") {
            _ = try await transport.get(server.url()) {
                $0.sink = .stream { _ in
                    calls.withLock { calls in
                        calls.now += 1
                        calls.most = max(calls.most, calls.now)
                        if Place.current != "here" { calls.strangers += 1 }
                    }
                    await Task.yield()
                    calls.withLock { $0.now -= 1 }
                }
            }
        }
        #expect(calls.withLock { $0 } == (0, 1, 0))
    }

    @Test(arguments: Engine.allCases)
    func aSlowStreamHoldsTheServerBackOrLosesNothing(engine: Engine) async throws {
        let data = (0..<512).reduce(into: Data()) { $0 += Data(repeating: UInt8($1 & 0xFF), count: 64 << 10) }
        let flow = RawServer.Flow()
        let server = try RawServer { _ in .watched(data, by: flow) }
        let isHeldBack = !engine.lacks(.pieces) && !engine.lacks(.slowReaders)
        // Nothing is taken before the server has seen whether it can send all the same.
        let stream = StreamRecorder { _ in
            guard isHeldBack else { return try await flow.end() }
            _ = try await flow.sight()
        }
        _ = try await engine.transport().get(server.url()) { $0.sink = stream.sink }
        #expect(stream.content == data)
        if isHeldBack { #expect(try await flow.sight() == .stalled) }
    }

    @Test(arguments: Engine.allCases)
    func compressedContentStreamsDecompressed(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Content-Encoding": "gzip"], data: Gzip.hello) }
        let stream = StreamRecorder()
        let response = try await engine.transport().get(server.url()) { $0.sink = stream.sink }
        #expect(stream.heard.first == "200 \(Gzip.hello.count)")
        #expect(stream.content == Data("hello hello".utf8))
        #expect(response.metrics.bytesReceived == Gzip.hello.count)
    }

    @Test(
        arguments: Engine.allCases,
        [(HTTPMethod.get, 204, "204 "), (.get, 200, "200 0"), (.head, 200, "200 7")]
    )
    func noContentIsAHeadAlone(engine: Engine, kind: (method: HTTPMethod, status: Int, heard: String)) async throws {
        let server = try RawServer { .response(status: kind.status, body: $0.method == "HEAD" ? "content" : "") }
        let transport = try engine.transport()
        for _ in 0..<2 {
            let stream = StreamRecorder()
            let response = try await transport.get(server.url(), method: kind.method) { $0.sink = stream.sink }
            #expect(stream.heard == [kind.heard])
            #expect(response.httpStatus == kind.status)
        }
    }

    @Test(arguments: Engine.allCases, [302, 401, 404, 500])
    func theContentOfAnErrorComesInMemory(engine: Engine, status: Int) async throws {
        let server = try RawServer { _ in
            status == 302 ? .redirect(to: "/next", body: "sorry") : .response(status: status, body: "sorry")
        }
        let stream = StreamRecorder()
        let transport = try engine.transport()
        let response = try await transport.get(server.url()) { $0.sink = stream.sink }
        let hasContent = status != 302 || !engine.lacks(.contentOfRedirects)
        #expect(response.httpStatus == status && response.text == (hasContent ? "sorry" : ""))
        let end = await transport.end(of: server.url()) {
            $0.sink = stream.sink
            $0.maxResponseSize = 4
        }
        #expect(end == (hasContent ? "tooLarge" : "\(status)"))
        #expect(stream.heard.isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func aStreamThatIsCutShortEndsInAnErrorBehindWhatCame(engine: Engine) async throws {
        let server = try RawServer { _ in .truncated }
        let stream = StreamRecorder()
        let end = try await engine.transport().end(of: server.url()) { $0.sink = stream.sink }
        #expect(end == NetworkFailure.Kind.connectionLost.rawValue)
        #expect(stream.heard == (engine.lacks(.pieces) ? [] : ["200 100", "0123456789"]))
    }
}
