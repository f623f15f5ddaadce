import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The test kit that users get, tested as they would use it.
@Suite(.timeLimit(.minutes(5)))
struct TestKitTests {
    @Test
    func unscriptedRequestFailsAtOnceAndIsNamed() async throws {
        let server = StubTransport().on(.get, "/user", .json("{}"), times: 1)
        let client = SimpleNetworking(over: server)
        _ = try await client.send(SimpleNetworking.get("/user"))
        await #expect {
            try await client.send(SimpleNetworking.get("/user?page=2"))
        } throws: { error in
            "\(error)".contains(
                "no rule matches GET https://api.example.com/user?page=2; scripted: GET /user (used up)"
            )
        }
    }

    @Test
    func rulesAreTriedInOrderAndByMethodPathAndCount() async throws {
        let server = StubTransport()
            .on(.post, "/x", .status(201))
            .on("/x", .status(202), times: 2)
            .on("*", .status(203))
        let client = SimpleNetworking(over: server)
        var statuses: [Int] = []
        for request in [client.get("/x"), client.post("/x"), client.get("/x"), client.get("/x"), client.get("/y")] {
            statuses.append(await request.ended().value?.httpStatus ?? 0)
        }
        #expect(statuses == [202, 201, 202, 203, 203] || statuses.sorted() == [201, 202, 202, 203, 203])
        #expect(server.log.sorted() == ["GET /x", "GET /x", "GET /x", "GET /y", "POST /x"])
    }

    @Test
    func cancellingEndsEveryWaitOfATest() async throws {
        let (gate, clock) = (Gate(), VirtualClock())
        let request = SimpleNetworking.get("/x")
        // Else its end warns that it was never executed.
        defer { request.cancel() }
        let waits = [
            Task { _ = await request.ended(timeout: 3600) }, Task { await gate.arrivals(1) },
            Task { await clock.alarms(1) },
        ]
        for wait in waits {
            wait.cancel()
            try await withinSeconds(60) { await wait.value }
        }
    }

    @Test
    func gateHoldsTasksUntilItOpensOrTheyAreCancelled() async throws {
        let gate = Gate()
        let passing = Task { try await gate.wait() }
        let leaving = Task { try await gate.wait() }
        await gate.arrivals(2)
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        gate.open()
        try await passing.value
        try await gate.wait()
    }

    @Test
    func virtualClockRunsWorkInTheOrderOfTimes() {
        let clock = VirtualClock()
        let rings = Recorder<Int>()
        _ = clock.schedule(after: 3) { rings.add(3) }
        _ = clock.schedule(after: 1) {
            rings.add(1)
            _ = clock.schedule(after: 1) { rings.add(2) }
        }
        let cancel = clock.schedule(after: 2.5) { rings.add(25) }
        cancel()
        clock.advance(by: 2.9)
        #expect(rings.elements == [1, 2])
        #expect(clock.alarms.count == 1)
        clock.advance(by: 0.1)
        #expect(rings.elements == [1, 2, 3])
        #expect(clock.now == 3)
    }
}
