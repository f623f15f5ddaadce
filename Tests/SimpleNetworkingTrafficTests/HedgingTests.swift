import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// Requests that are sent a second time when no response comes.
@Suite(.timeLimit(.minutes(5)))
struct HedgingTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(_ hedging: Hedging = Hedging(after: 1, share: 1)) -> SimpleNetworking {
        SimpleNetworking(over: server, through: [hedging], clock: clock)
    }

    /// A GET that notes how many bytes have arrived.
    private func get(noting received: Locked<Int>) -> SimpleRequest {
        client().get("/x") {
            $0.on(progress: { progress in received.withLock { $0 = progress.bytesReceived } })
        }
    }

    @Test(arguments: [HTTPMethod.get, .head])
    func theFirstResponseWins(method: HTTPMethod) async throws {
        server.on("/x", .silence, times: 1).on("/x", .text("second"))
        let request = client().request(method, path: "/x")
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.count == 2)
        #expect(request.trace.description.contains("sent twice: no content for 1000 ms"))
        #expect(request.trace.attempts == 1)
    }

    @Test
    func aResponseInTimeIsAskedForOnce() async {
        server.on("/x", .text("first"))
        let request = client().get("/x")
        #expect(await request.ended().value?.text == "first")
        clock.advance(by: 60)
        #expect(server.requests.count == 1)
        #expect(clock.alarms(for: .hedge) == [])
    }

    @Test
    func aResponseThatArrivesPieceByPieceIsAskedForOnce() async throws {
        let gates = [Gate(), Gate(), Gate()]
        server.on("/x", .pieces("a", .gate(gates[0]), "b", .gate(gates[1]), "c", .gate(gates[2]), "d"))
        let received = Locked(0)
        let request = get(noting: received)
        for (number, gate) in gates.enumerated() {
            try await eventually { clock.alarms(for: .hedge) == [number == 0 ? 1 : 0.75] }
            try await eventually { received.withLock { $0 } == number + 1 }
            clock.advance(by: number == 0 ? 0.75 : 0.5)
            gate.open()
            if number < 2 {
                try await eventually { received.withLock { $0 } == number + 2 }
                clock.advance(by: 0.25)
            }
        }
        #expect(await request.ended().value?.text == "abcd")
        #expect(server.requests.count == 1)
    }

    @Test
    func aResponseThatStallsBetweenItsPiecesIsAskedForAgain() async throws {
        let gate = Gate()
        server.on("/x", .pieces("a", .gate(gate), "b", .silence), times: 1).on("/x", .text("second"))
        let received = Locked(0)
        let request = get(noting: received)
        try await eventually { received.withLock { $0 } == 1 }
        clock.advance(by: 0.5)
        gate.open()
        try await eventually { received.withLock { $0 } == 2 }
        try await clock.advance(to: .hedge)
        try await eventually { clock.alarms(for: .hedge) == [0.5] }
        #expect(server.requests.count == 1)
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value?.text == "second")
        #expect(server.requests.count == 2)
    }

    @Test
    func theTimeInAQueueIsNotTakenForAStall() async throws {
        let held = Gate()
        server.on("/held", .text("first").after(held)).on("/x", .text("second"))
        let api = SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            $0.middleware = [Hedging(after: 1, share: 1)]
        }
        let first = api.post("/held")
        try await server.receives(1)
        let second = api.get("/x")
        try await eventually { second.trace.description.contains("waits for its turn") }
        clock.advance(by: 30)
        held.open()
        #expect(await first.ended().value?.text == "first")
        #expect(await second.ended().value?.text == "second")
        #expect(!second.trace.description.contains("sent twice"))
        #expect(server.requests.count == 2)
    }

    @Test
    func theFirstRequestMayStillWin() async throws {
        let first = Gate()
        server.on("/x", .text("first").after(first), times: 1).on("/x", .silence)
        let request = client().get("/x")
        try await clock.advance(to: .hedge)
        try await server.receives(2)
        first.open()
        #expect(await request.ended().value?.text == "first")
    }

    @Test
    func theSlowerRequestIsCancelled() async throws {
        server.on("/x", .silence, times: 1).on("/x", .text("second"))
        let watch = EndWatch()
        let hedging = Hedging(after: 1, share: 1)
        let api = SimpleNetworking(over: server, through: [hedging, watch], clock: clock)
        let request = api.get("/x")
        try await clock.advance(to: .hedge)
        await request.ended()
        // The response doesn't wait for the slower request.
        try await eventually { watch.ends.elements == ["status 200", "cancelled"] }
    }

    @Test
    func aFailureBeforeTheSecondRequestEndsAtOnce() async {
        server.on("/x", .failure(.connectionLost))
        #expect(await client().get("/x").ended().error?.hasNoResponse == true)
        #expect(server.requests.count == 1)
    }

    @Test
    func aFailureLeavesTheOtherRequestTheTime() async throws {
        let second = Gate()
        let fails = Gate()
        server.on("/x", .failure(.connectionLost).after(fails), times: 1).on("/x", .text("second").after(second))
        let request = client().get("/x")
        try await clock.advance(to: .hedge)
        try await server.receives(2)
        fails.open()
        second.open()
        #expect(await request.ended().value?.text == "second")
    }

    @Test
    func ifBothFailTheFirstReasonIsTold() async throws {
        let first = Gate()
        let second = Gate()
        server.on("/x", .failure(.cannotConnect).after(first), times: 1).on("/x", .failure(.tls).after(second))
        let watch = EndWatch()
        let hedging = Hedging(after: 1, share: 1)
        let request = SimpleNetworking(over: server, through: [hedging, watch], clock: clock).get("/x")
        try await clock.advance(to: .hedge)
        try await server.receives(2)
        first.open()
        try await eventually { watch.ends.elements == ["failed"] }
        second.open()
        guard case .networkingError(let failure, _)? = await request.ended().error else {
            Issue.record("it ended otherwise: \(request.trace)")
            return
        }
        #expect(failure.kind == .cannotConnect)
        #expect(watch.ends.elements == ["failed", "failed"])
    }

    @Test
    func cancellationEndsBoth() async throws {
        server.on("/x", .silence)
        let request = client().get("/x")
        try await clock.advance(to: .hedge)
        try await server.receives(2)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
    }

    /// hedgedhttp #61 sent a POST twice.
    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func otherMethodsAreNeverSentTwice(method: HTTPMethod) async throws {
        let gate = Gate()
        server.on("/x", .text("first").after(gate))
        let request = client().request(method, path: "/x")
        try await server.receives(1)
        clock.advance(by: 30)
        gate.open()
        await request.ended()
        #expect(server.requests.count == 1)
    }

    @Test
    func uploadsStreamsAndDownloadsAreNeverSentTwice() async throws {
        let folder = ScratchFolder()
        let gate = Gate()
        server.on("/x", .text("all").after(gate))
        let api = client()
        let upload = api.get("/x") { $0.allowsBodyOnGet().body(text: "one") }
        let download = api.get("/x") { $0.download(to: folder.url.appendingPathComponent("a")).timeout(60) }
        async let bytes = api.bytes(for: SimpleNetworking.get("/x")).reduce(0) { $0 + $1.count }
        try await server.receives(3)
        clock.advance(by: 30)
        gate.open()
        await upload.ended()
        await download.ended()
        _ = try await bytes
        #expect(server.requests.count == 3)
    }

    @Test
    func theBudgetIsAShareOfTheLastRequests() {
        var budget = Hedging.Budget(share: 0.02)
        var taken: [Int] = []
        for number in 1...150 {
            budget.noteRequest()
            if budget.take() { taken.append(number) }
        }
        #expect(taken == [50, 100, 150])
        for _ in 0..<5_000 { budget.noteRequest() }
        // What was not used long ago is lost.
        #expect((18...20).contains((0..<100).count { _ in budget.take() }))
    }
}
