import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OrderTests {
    @Test
    func statusHandlersRunBeforeSuccessHandlersEachInOrder() async throws {
        let client = SimpleNetworking(Server.open())
        var order: [String] = []
        let request = client.get("/x") {
            $0.on(success: { _ in order.append("success 1") })
                .on(success: { _ in order.append("success 2") })
                .on(httpStatus: 200) { _, _ in
                    order.append("status")
                    return true
                }
        }
        _ = await request.ended()
        #expect(order == ["status", "success 1", "success 2"])
    }

    @Test
    func errorHandlersOfBothShapesRunInOneOrder() async throws {
        let client = SimpleNetworking(Server.closed())
        var order: [String] = []
        let request = client.get("/x") {
            $0.on(error: { order.append("one \($0.httpStatus ?? 0)") })
                .on(error: { _, response in order.append("two \(response?.httpStatus ?? 0)") })
                .on(error: { _ in order.append("three") })
        }
        .on(error: { _, _ in order.append("four") })
        _ = await request.ended()
        #expect(order == ["one 401", "two 401", "three", "four"])
    }

    @Test
    func aHandlerThatSucceedsAndReturnsFalseEndsInSuccess() async throws {
        let client = SimpleNetworking(Server.closed())
        var order: [String] = []
        let request = client.get("/x") {
            $0.on(httpStatus: .clientError) { request, response in
                order.append("handled")
                request.succeed(with: response)
                return false
            }
            .on(httpStatus: 401) { _, _ in
                order.append("never")
                return true
            }
            .on(success: { _ in order.append("success") })
        }
        #expect(await request.ended().isSuccess)
        #expect(order == ["handled", "success"])
    }

    @Test
    func theTraceShowsTheSameOrder() async throws {
        let client = SimpleNetworking(StubTransport().on("/x", .status(503), times: 1).on("/x", .status(200)))
        let request = SimpleNetworking.get("/x")
            .on(httpStatus: 500...599) { request, _ in
                request.retry()
                return false
            }
            .on(success: { _ in })
        request.execute(on: client)
        _ = await request.ended()
        try expectOrder(of: request, [.status("500...599"), .retry, .success, .completion])
    }
}
