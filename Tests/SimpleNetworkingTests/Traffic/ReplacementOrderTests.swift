import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// `replacing(_:)`: what counts is when the user asked for a request, and not when one of its attempts begins.
@Suite(.timeLimit(.minutes(5)))
struct ReplacementOrderTests {
    private let server = StubTransport()
    private let clock = VirtualClock()
    private let told = Recorder<String>()

    /// Holds back requests with the tag `held`, as a client does that waits for a consent.
    private final class HoldingClient: SimpleNetworking, @unchecked Sendable {
        let hold = Gate()

        override func execute(request: SimpleRequest) {
            guard request.tags["held"] != nil else { return super.execute(request: request) }
            Task {
                try? await hold.wait()
                super.execute(request: request)
            }
        }
    }

    private func observed(_ request: SimpleRequest, as name: String) -> SimpleRequest {
        request
            .on(isolation: nil, success: { [told] _ in told.add("\(name) succeeded") })
            .on(
                isolation: nil,
                error: { [told] error in told.add(error.isCancellation ? "\(name) cancelled" : "\(name) failed") }
            )
    }

    private func isReplaced(_ request: SimpleRequest, by url: String) -> Bool {
        request.trace.description.contains("replaced by GET https://api.example.com\(url)")
    }

    @Test(arguments: [false, true])
    func aRequestThatIsPassedOnLateIsReplacedByTheNewer(hasNewerEnded: Bool) async throws {
        let newGate = Gate()
        server.on("/new", .json("{}").after(newGate))
        let client = HoldingClient(over: server)
        let old = observed(SimpleNetworking.get("/old").replacing("x").tag("held", "1"), as: "old").execute(on: client)
        await client.hold.arrivals(1)
        let new = observed(SimpleNetworking.get("/new").replacing("x"), as: "new").execute(on: client)
        await newGate.arrivals(1)
        // It ends when the newer begins, and not when it is passed on.
        #expect(await old.ended().error?.isCancellation == true)
        #expect(isReplaced(old, by: "/new"))
        if hasNewerEnded {
            newGate.open()
            #expect(await new.ended().value != nil)
        }
        client.hold.open()
        newGate.open()
        #expect(await new.ended().value != nil)
        #expect(told.elements == ["old cancelled", "new succeeded"])
        #expect(server.log == ["GET /new"])
        try await eventually { client.replacements.count == 0 }
    }

    /// The client's own code chooses the key before it waits.
    private final class KeyingClient: SimpleNetworking, @unchecked Sendable {
        let hold = Gate()

        override func execute(request: SimpleRequest) {
            request.replacing("x")
            guard request.path == "/old" else { return super.execute(request: request) }
            Task {
                try? await hold.wait()
                super.execute(request: request)
            }
        }
    }

    @Test
    func aKeyThatTheClientChoosesCountsWhileTheClientHoldsTheRequest() async throws {
        server.on("/new", .json("{}"))
        let client = KeyingClient(over: server)
        let old = client.get("/old")
        await client.hold.arrivals(1)
        #expect(await client.get("/new").ended().value != nil)
        client.hold.open()
        #expect(await old.ended().error?.isCancellation == true)
        #expect(server.log == ["GET /new"])
    }

    /// Both are held back, and the newer is passed on first.
    @Test
    func ofTwoLateRequestsTheOneThatWasAskedForLastGoesOn() async throws {
        server.on("/new", .json("{}")).on("/old", .silence)
        let client = HoldingClient(over: server)
        let old = client.get("/old") { $0.replacing("x").tag("held", "1") }
        await client.hold.arrivals(1)
        let new = client.get("/new") { $0.replacing("x").tag("held", "1") }
        await client.hold.arrivals(2)
        client.hold.open()
        #expect(await new.ended().value != nil)
        #expect(await old.ended().error?.isCancellation == true)
    }

    @Test
    func aRetryAfterTheEndDoesNotReplaceTheNewer() async throws {
        let newGate = Gate()
        server.on("/old", .replies(.status(500), .json("{}"))).on("/new", .json("{}").after(newGate))
        let client = SimpleNetworking(over: server, clock: clock)
        let old = client.get("/old") { $0.replacing("x") }
        await old.ended()
        old.retry(after: 5)
        await clock.alarms(1, for: .retry)
        let new = client.get("/new") { $0.replacing("x") }
        await newGate.arrivals(1)
        #expect(await old.ended().error?.isCancellation == true)
        #expect(isReplaced(old, by: "/new"))
        #expect(clock.alarms(for: .retry).isEmpty)
        newGate.open()
        #expect(await new.ended().value != nil)
        #expect(server.log == ["GET /old", "GET /new"])
    }

    @Test
    func aRetryAfterTheEndIsReplacedByTheNewerThatIsUnderWay() async throws {
        let newGate = Gate()
        server.on("/old", .replies(.status(500), .json("{}"))).on("/new", .json("{}").after(newGate))
        let client = SimpleNetworking(over: server, clock: clock)
        let old = client.get("/old") { $0.replacing("x") }
        await old.ended()
        let new = client.get("/new") { $0.replacing("x") }
        await newGate.arrivals(1)
        old.retry()
        #expect(await old.ended().error?.isCancellation == true)
        newGate.open()
        #expect(await new.ended().value != nil)
        #expect(server.log == ["GET /old", "GET /new"])
    }

    @Test
    func executingTheSameRequestAgainAsksAnew() async throws {
        let gate = Gate()
        server.on("/old", .json("{}")).on("/new", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        let old = client.get("/old") { $0.replacing("x") }
        #expect(await old.ended().value != nil)
        let new = client.get("/new") { $0.replacing("x") }
        await gate.arrivals(1)
        old.execute(on: client)
        #expect(await new.ended().error?.isCancellation == true)
        #expect(await old.ended().value != nil)
        #expect(isReplaced(new, by: "/old"))
    }

    @Test
    func aRequestThatWasReplacedMayBeAskedForAgain() async throws {
        let gate = Gate()
        server.on("/old", .json("{}").after(gate)).on("/new", .json("{}").after(gate))
        let client = SimpleNetworking(over: server)
        let old = client.get("/old") { $0.replacing("x") }
        await gate.arrivals(1)
        let new = client.get("/new") { $0.replacing("x") }
        #expect(await old.ended().error?.isCancellation == true)
        old.execute(on: client)
        #expect(await new.ended().error?.isCancellation == true)
        gate.open()
        #expect(await old.ended().value != nil)
    }

    @Test
    func aStreamThatWaitsToReconnectEndsWhenTheNewerBegins() async throws {
        let gate = Gate()
        server.on("/news", where: [.query("topic", "old")], .events("a"))
            .on("/news", where: [.query("topic", "new")], .events("b", .gate(gate)))
        let client = SimpleNetworking(over: server, clock: clock)
        func listen(_ topic: String) -> Task<String, Never> {
            Task { [told] in
                let request = SimpleNetworking.get("/news", query: ["topic": topic]).replacing("news")
                do {
                    for try await event in client.events(for: request, reconnects: true) {
                        told.add("\(topic): \(event.data)")
                        if topic == "new" { return "left" }
                    }
                    return "end"
                } catch { return "\(type(of: error))" }
            }
        }
        let old = listen("old")
        await clock.alarms(1, for: .retry)
        let new = listen("new")
        #expect(await old.value == "CancellationError")
        gate.open()
        #expect(await new.value == "left")
        #expect(told.elements == ["old: a", "new: b"])
        #expect(server.requests.count == 2)
        try await eventually { client.replacements.count == 0 }
    }

    /// The newer has long ended when the next page is asked for.
    @Test(arguments: [false, true])
    func theNextPageOfAnOlderListIsNotSent(hasNewerEnded: Bool) async throws {
        let gate = Gate()
        server.on("/list", where: [.query("page", "1")], .json(#"{"results": [1], "next": "/list?page=2"}"#))
            .on("/list", .json(#"{"results": [2]}"#))
            .on("/other", .json(#"{"results": [9]}"#).after(gate))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/list", query: ["page": 1]).replacing("list")
        var pages = client.pages(of: Int.self, at: "results", for: request, style: .links()).makeAsyncIterator()
        #expect(try await pages.next()?.items == [1])
        let new = client.get("/other") { $0.replacing("list") }
        await gate.arrivals(1)
        if hasNewerEnded {
            gate.open()
            #expect(await new.ended().value != nil)
        }
        await #expect(throws: CancellationError.self) { _ = try await pages.next() }
        #expect(try await pages.next() == nil)
        gate.open()
        #expect(await new.ended().value != nil)
        #expect(server.log == ["GET /list", "GET /other"])
        try await eventually { client.replacements.count == 0 }
    }

    @Test
    func theNewestListGoesOnPageByPage() async throws {
        server.on("/list", where: [.query("page", "1")], .json(#"{"results": [1], "next": "/list?page=2"}"#))
            .on("/list", .json(#"{"results": [2]}"#))
            .on("/old", .silence)
        let client = SimpleNetworking(over: server)
        let old = client.get("/old") { $0.replacing("list") }
        let request = SimpleNetworking.get("/list", query: ["page": 1]).replacing("list")
        var items: [Int] = []
        for try await item in client.items(of: Int.self, at: "results", for: request, style: .links()) {
            items.append(item)
        }
        #expect(items == [1, 2])
        #expect(await old.ended().error?.isCancellation == true)
        try await eventually { client.replacements.count == 0 }
    }

    /// Each call of `send` asks, also for the same request.
    @Test
    func sendingTheSameRequestAgainReplacesTheCallBefore() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = SimpleNetworking.get("/x").replacing("x")
        let first = Task { try await client.send(request) }
        await gate.arrivals(1)
        #expect(try await client.send(request).httpStatus == 200)
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test
    func aDelayedRetryIsReplacedWhenTheNewerBegins() async throws {
        server.on("/old", .status(503)).on("/new", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock)
        let old = client.get("/old") {
            $0.replacing("x").on(httpStatus: 503) { request, _ in
                request.retry(after: 10)
                return false
            }
        }
        await clock.alarms(1, for: .retry)
        #expect(await client.get("/new") { $0.replacing("x") }.ended().value != nil)
        #expect(await old.ended().error?.isCancellation == true)
        #expect(server.log == ["GET /old", "GET /new"])
    }
}
