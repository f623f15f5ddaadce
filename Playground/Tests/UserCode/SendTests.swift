import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SendTests {
    @Test
    func itReturnsTheResponseAfterTheHandlers() async throws {
        let client = SimpleNetworking(Server.open())
        var order: [String] = []
        let request = SimpleNetworking.get("/x").on(success: { _ in order.append("handler") })
        let response = try await client.send(request)
        order.append("caller")
        #expect(response.httpStatus == 200)
        #expect(order == ["handler", "caller"])
    }

    @Test
    func cancellingTheTaskEndsIt() async {
        let gate = Gate()
        let client = SimpleNetworking(StubTransport().on("/x", StubResponse.status(200).after(gate)))
        let task = Task { try await client.send(SimpleNetworking.get("/x")) }
        await gate.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func aTaskThatIsCancelledAlreadySendsNothing() async {
        let server = Server.open()
        let client = SimpleNetworking(server)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.send(SimpleNetworking.get("/x"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.log == [])
    }

    @Test
    func cancellingTheRequestEndsIt() async {
        let gate = Gate()
        let client = SimpleNetworking(StubTransport().on("/x", StubResponse.status(200).after(gate)))
        let request = SimpleNetworking.get("/x")
        let task = Task { try await client.send(request) }
        await gate.arrivals(1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
