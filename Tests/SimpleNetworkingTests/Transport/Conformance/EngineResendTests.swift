import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

@Suite("Every engine: what is sent again", .serialized, .timeLimit(.minutes(5)))
struct EngineResendTests {
    static let contents: [RequestBody] = [
        .none, .data(Data("content".utf8)), .data(Data(repeating: 65, count: 300_000)),
        .stream(length: 7) { InputStream(data: Data("content".utf8)) },
        .stream(length: nil) { InputStream(data: Data("content".utf8)) },
    ]

    @Test(arguments: Engine.allCases, contents.indices)
    func postOnAKeptConnectionThatBreaksArrivesOnce(engine: Engine, content: Int) async throws {
        let transport = try engine.transport()
        let server = try await RawServer.brittle(warmedBy: transport)
        let outcome = await Result(of: {
            try await transport.get(server.url(), method: .post, body: Self.contents[content])
        })
        expectOneArrival(of: .post, at: server, outcome)
    }

    @Test(arguments: Engine.allCases)
    func patchOnAKeptConnectionThatBreaksArrivesOnce(engine: Engine) async throws {
        let transport = try engine.transport()
        let server = try await RawServer.brittle(warmedBy: transport)
        let outcome = await Result(of: {
            try await transport.get(server.url(), method: .patch, body: .data(Data("content".utf8)))
        })
        expectOneArrival(of: .patch, at: server, outcome)
    }

    /// An engine that cannot tell a kept connection's end from a refusal uses none for what must not be repeated.
    private func expectOneArrival(
        of method: HTTPMethod,
        at server: RawServer,
        _ outcome: Result<TransportResponse, any Error>
    ) {
        #expect(server.count(of: method) == 1)
        switch outcome {
        case .success(let response): #expect(response.text == "fresh")
        case .failure: expectNoResponse(method, outcome)
        }
    }

    private func expectNoResponse(_ method: HTTPMethod, _ outcome: Result<TransportResponse, any Error>) {
        let failure = #expect(throws: NetworkFailure.self) { try outcome.get() }
        #expect(failure?.kind == .connectionLost)
        let words = failure?.description ?? ""
        #expect(words.contains("may or may not have received") && words.contains("\(method) is not idempotent"))
        #expect(words.contains("Idempotency-Key"))
    }

    @Test(arguments: Engine.allCases, contents.indices)
    func postWithAnIdempotencyKeyIsSentUntilAFreshConnectionTakesIt(engine: Engine, content: Int) async throws {
        let transport = try engine.transport()
        let server = try await RawServer.brittle(warmedBy: transport)
        let headers: HTTPHeaders = ["Idempotency-Key": "1"]
        let response = try await transport.get(
            server.url(),
            method: .post,
            headers: headers,
            body: Self.contents[content]
        )
        #expect(response.text == "fresh")
        #expect(server.count(of: .post) == 5)
        let last = server.requests.last
        #expect(server.requests.filter { $0.method == "POST" }.allSatisfy { $0.body == last?.body })
    }

    @Test(arguments: Engine.allCases)
    func traceShowsEachResendOfAGet(engine: Engine) async throws {
        let transport = try engine.transport()
        let server = try await RawServer.brittle(warmedBy: transport)
        let client = SimpleNetworking(baseURL: server.url()) {
            $0.transport = transport
            $0.logger = .quiet
        }
        let request = client.get("/x")
        #expect(await request.ended().value?.text == "fresh")
        #expect(server.count(of: .get) == 4 + 5)
        #expect(request.trace.attempts == 1)
        let resends = request.trace.events.filter { "\($0.kind)".hasPrefix("sent again") }
        #expect(resends.count == (engine.lacks(.toldResends) ? 0 : 4))
    }

    @Test(arguments: Engine.allCases)
    func postThatFindsNoOtherConnectionIsNoRefusedOne(engine: Engine) async throws {
        let (listener, port) = try Socket.listening()
        let posts = Locked(0)
        Thread.detachNewThread {
            var sockets: [Int32] = []
            // First of all the listener, so that a client that sees the others' end cannot connect.
            defer { ([listener] + sockets).forEach(Socket.close) }
            while let ready = Socket.readable(among: [listener] + sockets) {
                guard ready != listener else {
                    if let socket = Socket.accepted(from: listener) { sockets.append(socket) }
                    continue
                }
                guard let head = Socket.receive(from: ready) else { return }
                if head.starts(with: Data("POST".utf8)) { return posts.withLock { $0 += 1 } }
                _ = Socket.send(Data("HTTP/1.1 204 No Content\r\n\r\n".utf8), to: ready)
            }
        }
        let transport = try engine.transport()
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        #expect(try await transport.get(url).httpStatus == 204)
        let outcome = await Result(of: { try await transport.get(url, method: .post) })
        #expect(posts.withLock { $0 } == 1)
        expectNoResponse(.post, outcome)
    }

    @Test(arguments: Engine.allCases)
    func postOnAFreshConnectionThatBreaksMayHaveArrived(engine: Engine) async throws {
        let server = try RawServer { _ in .closed }
        let transport = try engine.transport()
        let outcome = await Result(of: { try await transport.get(server.url(), method: .post) })
        #expect(server.count(of: .post) == 1)
        expectNoResponse(.post, outcome)
        let get = await Result(of: { try await transport.get(server.url()) })
        #expect(throws: NetworkFailure.self) { try get.get() }
        if case .failure(let error) = get { #expect(!"\(error)".contains("idempotent")) }
    }

    @Test(arguments: Engine.allCases)
    func postsBeyondTheConnectionsOfAHostWait(engine: Engine) async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { .mirror($0).held(by: latch) }
        let transport = try engine.transport(connectionsPerHost: 3)
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await transport.get(server.url(), method: .post, body: .data(Data("\(index)".utf8))).text
                }
            }
            await server.wait(forRequests: 3)
            #expect(server.log.opened == 3)
            latch.open()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<20).map { "\($0)" }))
    }

    @Test(arguments: Engine.allCases)
    func postsThatRaceClosingConnectionsArriveAtMostOnce(engine: Engine) async throws {
        let server = try RawServer { _ in .closingQuietly() }
        let transport = try engine.transport()
        for index in 0..<300 {
            let outcome = await Result(of: { try await transport.get(server.url("/\(index)"), method: .post) })
            guard case .failure(let error) = outcome else { continue }
            #expect((error as? NetworkFailure)?.kind == .connectionLost)
            #expect("\(error)".contains("POST is not idempotent"))
        }
        #expect(Set(server.requests.map(\.path)).count == server.requests.count)
    }
}
