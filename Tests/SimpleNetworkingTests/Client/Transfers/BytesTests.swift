import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Content piece by piece, over sockets.
@Suite(.timeLimit(.minutes(5)))
struct BytesTests {
    private let request = SimpleNetworking.get("/log")

    @Test(arguments: [false, true])
    func chunksAreReturnedAsTheyArrive(usesURLSession: Bool) async throws {
        let latches = [RawServer.Latch(), RawServer.Latch()]
        let server = try RawServer { _ in .parts([(latches[0], "one"), (latches[1], "two")]) }
        let client = SimpleNetworking(of: server) {
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
        var pieces = client.bytes(for: request).makeAsyncIterator()
        latches[0].open()
        #expect(try await pieces.next() == Data("one".utf8))
        latches[1].open()
        #expect(try await pieces.next() == Data("two".utf8))
        #expect(try await pieces.next() == nil)
        #expect(try await pieces.next() == nil)
    }

    @Test
    func requestIsSentWhenTheFirstChunkIsWantedAndAgainByEachLoop() async throws {
        let server = try RawServer { _ in .response(body: "content") }
        let bytes = SimpleNetworking(of: server).bytes(for: Request<Void>.get("/log"))
        _ = bytes.makeAsyncIterator()
        #expect(server.requests.isEmpty)
        for _ in 1...2 {
            var text = ""
            for try await piece in bytes { text += String(decoding: piece, as: UTF8.self) }
            #expect(text == "content")
        }
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func theHeadIsReturnedBeforeAnyContentArrives(usesURLSession: Bool) async throws {
        let gate = Gate()
        let stub = StubTransport().on("/log", .pieces(.gate(gate), "one", headers: ["X-Two": "2"]))
            .on("/none", .status(204)).on("/lost", .text("gone", status: 404))
        let server = try LoopbackServer(stub)
        let client = SimpleNetworking(baseURL: server.url) {
            $0.logger = .quiet
            if usesURLSession { $0.sessionDelegate = RecordingDelegate() }
        }
        var pieces = client.bytes(for: request).makeAsyncIterator()
        let head = try await pieces.head()
        #expect(head?.httpStatus == 200 && head?.headers["X-Two"] == "2" && head?.data.isEmpty == true)
        gate.open()
        #expect(try await pieces.next() == Data("one".utf8))
        #expect(try await pieces.head()?.httpStatus == 200)
        #expect(try await pieces.next() == nil)

        var none = client.bytes(for: .get("/none")).makeAsyncIterator()
        #expect(try await none.head()?.httpStatus == 204)
        #expect(try await none.next() == nil)

        var lost = client.bytes(for: .get("/lost")).makeAsyncIterator()
        let error = await #expect(throws: SimpleNetworkingError.self) { try await lost.head() }
        #expect(error?.response?.text == "gone")
        #expect(try await lost.head() == nil)
        #expect(stub.requests.count == 3)
    }

    @Test
    func theHeadNamesTheRequestThatWasSent() async throws {
        final class Versioned: SimpleNetworking, @unchecked Sendable {
            override func url(for request: SimpleRequest) throws -> URL { try url(forPath: "/v2" + request.path) }
        }
        let server = StubTransport().on("/v2/log", .redirect(to: "/moved")).on("/moved", .text("one"))
        let client = Versioned(host: "a.test") { $0.transport = server }
        let request = SimpleNetworking.get("/log").header("X-Two", "2")
        var pieces = client.bytes(for: request).makeAsyncIterator()
        let head = try await pieces.head()
        #expect(head?.request.url.absoluteString == "https://a.test/moved")
        #expect(head?.request.headers["X-Two"] == "2")
    }

    @Test
    func aTransportThatKeepsItsRequestsKeepsNoClient() async throws {
        struct Left: Sendable { weak var client: SimpleNetworking? }
        let left = Locked(Left())
        let server = StubTransport().on("/log", .text("one"))
        do {
            let client = SimpleNetworking(host: "a.test") { $0.transport = server }
            left.withLock { $0.client = client }
            for try await _ in client.bytes(for: .get("/log")) {}
        }
        #expect(server.requests.count == 1)
        try await eventually { left.withLock { $0.client == nil } }
    }

    @Test
    func theSizeIsNotLimited() async throws {
        let server = try RawServer { _ in .response(data: Data(count: 300_000)) }
        var count = 0
        let client = SimpleNetworking(of: server) { $0.maxResponseSize = 1000 }
        for try await piece in client.bytes(for: request) { count += piece.count }
        #expect(count == 300_000)
    }

    /// The transports' own tests check that the engine waits as long as the receiver does.
    @Test
    func noPieceIsHandedOverBeforeTheOneBeforeWasTaken() async throws {
        struct Flood: Transport {
            let given = Recorder<Int>()

            func send(_ request: TransportRequest) async throws -> TransportResponse {
                guard case .stream(let receive) = request.sink else { throw Surprise("no stream") }
                try await receive(.head(status: 200, headers: [:]))
                for number in 1...100 {
                    try await receive(.content(Data([UInt8(number)])))
                    given.add(number)
                }
                return TransportResponse(httpStatus: 200)
            }
        }
        let flood = Flood()
        let client = SimpleNetworking(over: flood)
        var pieces = client.bytes(for: request).makeAsyncIterator()
        for number in 1...3 {
            #expect(try await pieces.next() == Data([UInt8(number)]))
            #expect(flood.given.elements.count <= number)
        }
        try await eventually { flood.given.elements == [1, 2, 3] }
    }

    @Test
    func leavingTheLoopEndsTheTransfer() async throws {
        let server = try RawServer { _ in .endless }
        for try await _ in SimpleNetworking(of: server).bytes(for: request) { break }
        await server.wait { $0.closed == 1 }
    }

    @Test
    func cancellingTheTaskEndsTheWaitAndTheTransfer() async throws {
        let latch = RawServer.Latch()
        let server = try RawServer { _ in .parts([(latch, "late")]) }
        let bytes = SimpleNetworking(of: server).bytes(for: request)
        let task = Task { for try await _ in bytes { Issue.record("nothing has come") } }
        await server.wait(forRequests: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.wait { $0.closed == 1 }
    }

    @Test
    func cancellingTheRequestEndsThem() async throws {
        let server = try RawServer { _ in .endless }
        var pieces = SimpleNetworking(of: server).bytes(for: request).makeAsyncIterator()
        _ = try await pieces.next()
        request.cancel()
        await #expect(throws: CancellationError.self) { while try await pieces.next() != nil {} }
        #expect(try await pieces.next() == nil)
    }

    @Test
    func errorResponseThrowsWithItsContent() async throws {
        let server = try RawServer { _ in .response(status: 403, body: "not you") }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in SimpleNetworking(of: server).bytes(for: request) { Issue.record("there is no content") }
        }
        #expect(error?.response?.text == "not you")
    }

    @Test
    func whatIsCutShortEndsInAnErrorAfterThePiecesAndIsNotSentAgain() async throws {
        let server = try RawServer { _ in .truncated }
        let client = SimpleNetworking(of: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let seen = Recorder<Data>()
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await piece in client.bytes(for: request) { seen.add(piece) }
        }
        guard case .networkingError? = error else { throw "\(String(describing: error))".asError }
        #expect(seen.elements.reduce(Data(), +) == Data("0123456789".utf8))
        #expect(server.requests.count == 1)
    }

    @Test
    func whatWasHandedOverIsNotSentAgainByAHandlerEither() async throws {
        let server = try RawServer { _ in .truncated }
        let request = SimpleNetworking.get("/log").on(
            isolation: nil,
            noResponse: { request, _ in
                request.retry()
                return false
            }
        )
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in SimpleNetworking(of: server).bytes(for: request) {}
        }
        guard case .invalidRequest? = error else { throw "\(String(describing: error))".asError }
        #expect(server.requests.count == 1)
    }

    @Test
    func whatFailsBeforeAnyContentIsRetriedAndRefreshed() async throws {
        let server = try RawServer { request in
            guard request[header: "Authorization"] == "Bearer fresh" else { return .unauthorized() }
            return .response(body: "content")
        }
        let client = SimpleNetworking(of: server)
        let request = SimpleNetworking.get("/log").on(isolation: nil, httpStatus: 401) { request, _ in
            client.headers["Authorization"] = "Bearer fresh"
            request.retry()
            return false
        }
        var text = ""
        for try await piece in client.bytes(for: request) { text += String(decoding: piece, as: UTF8.self) }
        #expect(text == "content" && server.requests.count == 2)
    }

    @Test
    func pausesAreLimitedAndNotTheWholeTime() async throws {
        let server = try RawServer { _ in .drip("0123456789", every: 0.25) }
        var text = ""
        // A busy machine may add a second to a pause.
        let client = SimpleNetworking(of: server) { $0.timeout = 2 }
        for try await piece in client.bytes(for: request) { text += String(decoding: piece, as: UTF8.self) }
        #expect(text == "0123456789")
        let silent = try RawServer { _ in .stalled }
        let other = SimpleNetworking(of: silent) { $0.timeout = 0.3 }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in other.bytes(for: request) {}
        }
        guard case .timedOut(.idle, _)? = error else { throw "\(String(describing: error))".asError }
    }
}
