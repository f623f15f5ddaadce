import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `replacing(_:)`: of several requests, the newest goes on.
@Suite(.timeLimit(.minutes(5)))
struct ReplacingTests {
    private let server = StubTransport()

    private func search(_ client: SimpleNetworking, _ text: String, _ told: Recorder<String>) -> SimpleRequest {
        client.get("/search", query: ["q": text]) {
            $0.replacing("search")
                .on(success: { _ in told.add("found \(text)") })
                .on(error: { error in told.add(error.isCancellation ? "cancelled \(text)" : "\(error)") })
                .on(completion: { _ in told.add("ended \(text)") })
        }
    }

    @Test
    func theNewestWinsAndTheOthersAreToldBefore() async throws {
        let gate = Gate()
        server.on("/search", where: [.query("q", "abc")], .json("{}")).on("*", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        let told = Recorder<String>()
        let requests = ["a", "ab", "abc"].map { search(client, $0, told) }
        for request in requests { _ = await request.ended() }
        #expect(told.elements == ["cancelled a", "ended a", "cancelled ab", "ended ab", "found abc", "ended abc"])
        #expect(requests[0].trace.description.contains("replaced by GET https://api.example.com/search?q=ab"))
        gate.open()
    }

    @Test
    func aRequestThatIsSentAgainDoesNotReplaceTheOneThatHasReplacedIt() async throws {
        server.on("/search", where: [.query("q", "a")], .status(401)).on("*", .json("{}"))
        let client = ImpatientClient(over: server)
        let told = Recorder<String>()
        let older = search(client, "a", told).on(httpStatus: 401) { request, _ in
            request.retry()
            return false
        }
        #expect(await older.ended().error?.isCancellation == true)
        #expect(await client.newer.withLock { $0 }?.ended().value != nil)
    }

    @Test
    func aSlowHandlerOfTheOlderHoldsUpTheNewersHandlers() async throws {
        server.on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        let told = Recorder<String>()
        let isRunning = Gate()
        let older = client.get("/search") {
            $0.replacing("search").on(
                isolation: nil,
                success: { _ in
                    told.add("older begins")
                    isRunning.open()
                    while !told.elements.contains("newer sent") { sched_yield() }
                    told.add("older ends")
                }
            )
        }
        try await isRunning.wait()
        let newer = client.get("/search") {
            $0.replacing("search").on(success: { _ in told.add("newer") })
        }
        told.add("newer sent")
        #expect(await newer.ended().value != nil)
        #expect(await older.ended().value != nil)
        #expect(told.elements == ["older begins", "newer sent", "older ends", "newer"])
    }

    @Test
    func otherKeysAndOtherClientsGoOn() async throws {
        let gate = Gate()
        server.on("*", .json("{}").after(gate))
        let clients = [SimpleNetworking(over: server), SimpleNetworking(over: server)]
        let requests = [
            clients[0].get("/1") { $0.replacing("a") }, clients[0].get("/2") { $0.replacing("b") },
            clients[1].get("/3") { $0.replacing("a") }, clients[0].get("/4"),
        ]
        await gate.arrivals(4)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
    }

    @Test
    func aRetryDoesNotReplaceItself() async throws {
        server.on("*", .replies(.status(503), .json("{}")))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") { request in
            request.replacing("x").on(httpStatus: 503) { request, _ in
                request.retry()
                return false
            }
        }
        #expect(await request.ended().value != nil)
    }

    @Test
    func anAwaitedRequestIsReplacedToo() async throws {
        let gate = Gate()
        server.on("/old", .json("{}").after(gate)).on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        let older = Task { try await client.send(SimpleNetworking.get("/old").replacing("x")) }
        await gate.arrivals(1)
        _ = try await client.send(SimpleNetworking.get("/new").replacing("x"))
        await #expect(throws: CancellationError.self) { try await older.value }
    }

    @Test
    func nothingIsKeptOfRequestsThatHaveEnded() async throws {
        server.on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        for number in 0..<100 { #expect(await client.get("/x") { $0.replacing("\(number)") }.ended().value != nil) }
        try await eventually { client.replacements.count == 0 }
    }

    @Test
    func aKeyThatARetryBringsIsForgottenAtTheEnd() async throws {
        server.on("*", .replies(.status(401), .json("{}")))
        let client = SimpleNetworking(over: server)
        let request = client.get("/search") {
            $0.on(httpStatus: 401) { request, _ in
                request.replacing("search").retry()
                return false
            }
        }
        #expect(await request.ended().value != nil)
        // A caller that waits is told before.
        try await eventually { client.replacements.count == 0 }
    }
}

/// Searches for something else while it builds a request for the second time.
private final class ImpatientClient: SimpleNetworking, @unchecked Sendable {
    let newer = Locked<SimpleRequest?>(nil)
    private let calls = Locked(0)

    override func url(for request: SimpleRequest) throws -> URL {
        if request.query.value(of: "q") == "a", calls.next() == 2 {
            newer.exchange(get("/search", query: ["q": "b"]) { $0.replacing("search") })
        }
        return try super.url(for: request)
    }
}
