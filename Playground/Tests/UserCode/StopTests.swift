import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Handlers that deal with a response: false, or `stop()` later, ends the request without success or error handlers.
@Suite(.timeLimit(.minutes(1)))
struct StopTests {
    @Test
    func aHandled404RaisesNoAlert() async {
        let client = SimpleNetworking(StubTransport().on("*", .status(404)))
        var shown: [String] = []
        var alerts: [String] = []
        let request = client.get("/users/7") {
            $0.on(httpStatus: 404) { _, _ in
                shown.append("no such user")
                return false
            }
            .on(error: { error in alerts.append("\(error)") })
        }
        #expect(await request.ended().failure?.stopStatus == 404)
        #expect(shown == ["no such user"])
        #expect(alerts == [])
    }

    @Test
    func awaitingEndsAtOnceWhenTheHandlerKeepsNothing() async {
        let client = SimpleNetworking(Server.closed())
        let request = SimpleNetworking.get("/x").on(httpStatus: 401) { _, _ in false }
        await expectStop { try await client.send(request) }
    }

    @Test
    func awaitingEndsAtOnceWhenTheHandlerHoldsTheCallersRequest() async {
        let client = SimpleNetworking(Server.closed())
        let cycle = SimpleNetworking.get("/x")
        cycle.on(httpStatus: 401) { _, _ in
            _ = cycle
            return false
        }
        await expectStop { try await client.send(cycle) }
    }

    @Test
    func stoppingAKeptRequestLaterLeavesErrorHandlersSilent() async {
        let client = SimpleNetworking(Server.closed())
        var alerts: [String] = []
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                Task { request.stop() }
                return false
            }
            .on(error: { error in alerts.append("\(error)") })
        }
        #expect(await request.ended().failure?.stopStatus == 401)
        #expect(alerts == [])
    }

    @Test
    func retryOfTheCallersRequestAfterAStopStartsANewExecution() async {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .status(200))
        let request = SimpleNetworking(server).get("/x") { $0.on(httpStatus: 401) { _, _ in false } }
        #expect(await request.ended().failure?.stopStatus == 401)
        request.retry()
        #expect(await request.ended().isSuccess)
        #expect(server.requests.count == 2)
    }

    nonisolated private func expectStop(
        _ send: @Sendable () async throws -> SimpleResponse,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: SimpleNetworkingError.self, sourceLocation: sourceLocation) {
            try await send()
        }
        #expect(error?.stopStatus == 401, sourceLocation: sourceLocation)
    }
}

extension SimpleNetworkingError {
    /// The status of the response that a handler stopped at.
    nonisolated fileprivate var stopStatus: Int? {
        if case .stopped(_, let response) = self { response?.httpStatus } else { nil }
    }
}
