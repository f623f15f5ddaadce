import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Uploads whose chunks come from requests of the same client, which lets only one request through at a time.
@Suite(.timeLimit(.minutes(2)))
struct UploadSourceTests {
    private let server = StubTransport()

    private func client(_ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }) -> SimpleNetworking {
        SimpleNetworking(over: server) {
            $0.traffic.inFlight = 1
            configure(&$0)
        }
    }

    private func end(of request: SimpleRequest) async throws -> Int? {
        try await withinSeconds(60) { await request.ended() }.value?.httpStatus
    }

    /// How the source is requested while the chunks are produced.
    enum Source: CaseIterable {
        case bytes, awaited, handlers, retried, lines
    }

    private func chunks(of source: Source, _ api: SimpleNetworking) -> BodyChunks {
        let once: (@escaping @Sendable () async throws -> Data) -> BodyChunks = { make in
            BodyChunks {
                let isOver = Locked(false)
                return AsyncThrowingStream<Data, any Error> {
                    if isOver.exchange(true) { return nil }
                    return try await make()
                }
            }
        }
        switch source {
        case .bytes: return BodyChunks { api.bytes(for: SimpleNetworking.get("/source")) }
        case .lines: return BodyChunks { api.lines(for: SimpleNetworking.get("/source")).map { Data($0.utf8) } }
        case .awaited: return once { try await api.send(SimpleNetworking.get("/source")).data }
        case .retried:
            return once {
                let request = SimpleNetworking.get("/busy").on(isolation: nil, httpStatus: 503) { request, _ in
                    request.retry(after: 0.01)
                    return false
                }
                return try await api.send(request).data
            }
        case .handlers:
            return once {
                await withCheckedContinuation { continuation in
                    api.get("/first") { request in
                        // The handler's own request belongs to the body, too.
                        request.on(
                            isolation: nil,
                            success: { _ in
                                api.get("/source") {
                                    $0.on(isolation: nil, success: { continuation.resume(returning: $0.data) })
                                }
                            }
                        )
                    }
                }
            }
        }
    }

    @Test(arguments: Source.allCases)
    func theSourceNeedNotWaitForItsOwnUpload(source: Source) async throws {
        server.on("/source", .pieces("one", "two")).on("/first", .json("{}"))
            .on("/busy", .replies(.status(503), .text("onetwo"))).on(.put, "/copy", .status(201))
        let api = client()
        let upload = SimpleNetworking.put("/copy").body(chunks: chunks(of: source, api), contentType: .text)
        #expect(try await end(of: upload.execute(on: api)) == 201)
    }

    /// An equal request waits behind the upload.
    @Test
    func theSourceDoesNotJoinATransferThatWaits() async throws {
        let gate = Gate()
        server.on("/source", .text("one")).on(.put, "/copy", .status(201))
        let api = client { $0.traffic.coalesces = true }
        let isOver = Locked(false)
        let body = BodyChunks {
            AsyncThrowingStream<Data, any Error> {
                if isOver.exchange(true) { return nil }
                try await gate.wait()
                return try await api.send(SimpleNetworking.get("/source")).data
            }
        }
        let upload = SimpleNetworking.put("/copy").body(chunks: body, contentType: .text).execute(on: api)
        await gate.arrivals(1)
        let other = api.get("/source")
        try await eventually { other.trace.description.contains("waits") }
        gate.open()
        #expect(try await end(of: upload) == 201)
        #expect(try await end(of: other) == 200)
    }

    @Test
    func otherRequestsStillWaitForTheUpload() async throws {
        let gate = Gate()
        server.on(.put, "/copy", .status(201)).on("/other", .json("{}"))
        let api = client()
        let isOver = Locked(false)
        let later = Locked<Task<Void, Never>?>(nil)
        let afterEnd = Gate()
        let body = BodyChunks {
            AsyncThrowingStream<Data, any Error> {
                if isOver.exchange(true) { return nil }
                // This task outlives the body, and has no privilege then.
                later.withLock { $0 = Task { try? await afterEnd.wait() } }
                try await gate.wait()
                return Data("one".utf8)
            }
        }
        let upload = SimpleNetworking.put("/copy").body(chunks: body, contentType: .text).execute(on: api)
        await gate.arrivals(1)
        let other = api.get("/other")
        try await eventually { other.trace.description.contains("waits") }
        #expect(server.log.isEmpty || server.log == ["PUT /copy"])
        gate.open()
        #expect(try await end(of: upload) == 201)
        #expect(try await end(of: other) == 200)
        afterEnd.open()
    }

    @Test
    func aTaskThatOutlivesTheBodyWaitsForItsTurn() async throws {
        let (isHeld, proceed) = (Gate(), Gate())
        server.on(.put, "/copy", .status(201)).on("/held", .json("{}").after(isHeld)).on("/late", .json("{}"))
        let api = client()
        let isOver = Locked(false)
        let late = Locked<SimpleRequest?>(nil)
        let body = BodyChunks {
            AsyncThrowingStream<Data, any Error> {
                if isOver.exchange(true) { return nil }
                Task {
                    try await proceed.wait()
                    late.withLock { $0 = api.get("/late") }
                }
                return Data("one".utf8)
            }
        }
        let upload = SimpleNetworking.put("/copy").body(chunks: body, contentType: .text).execute(on: api)
        #expect(try await end(of: upload) == 201)
        let held = api.get("/held")
        await isHeld.arrivals(1)
        proceed.open()
        try await eventually { late.withLock { $0 }?.trace.description.contains("waits") == true }
        isHeld.open()
        #expect(try await end(of: held) == 200)
        let request = try #require(late.withLock { $0 })
        #expect(try await end(of: request) == 200)
    }

    @Test(arguments: Engine.allCases)
    func overSocketsTheUploadEnds(engine: Engine) async throws {
        let server = try RawServer { .response(body: $0.path == "/source" ? "onetwo" : $0.text) }
        let api = try engine.client(server) { $0.traffic.inFlight = 1 }
        let upload = SimpleNetworking.put("/copy")
            .body(chunks: BodyChunks { api.bytes(for: SimpleNetworking.get("/source")) }, contentType: .text)
        let request = upload.execute(on: api)
        #expect(try await withinSeconds(60) { await request.ended() }.value?.text == "onetwo")
    }

    /// Trailers follow the last chunk, while the upload still has its slot.
    #if canImport(CLibcurl) && os(Linux)
        @Test
        func theTrailersMayNeedARequest() async throws {
            let server = try RawServer { .response(body: $0.path == "/sum" ? "7" : $0.trailerLines.joined()) }
            let api = try Engine.curl.client(server) { $0.traffic.inFlight = 1 }
            let trailers: @Sendable () async throws -> HTTPHeaders = {
                ["X-Sum": try await api.send(SimpleNetworking.get("/sum")).text ?? ""]
            }
            let body = BodyChunks(trailers: trailers) { AsyncStream<Data>(unfolding: { nil }) }
            let request = SimpleNetworking.put("/copy").body(chunks: body, contentType: .text).execute(on: api)
            #expect(try await withinSeconds(60) { await request.ended() }.value?.text == "X-Sum: 7")
        }
    #endif
}
