import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AbandonmentTests {
    @Test
    func itReachesTheErrorHandlersWithTheResponse() async {
        let client = SimpleNetworking(Server.closed())
        await withCheckedContinuation { continuation in
            _ = client.get("/x") {
                $0.on(httpStatus: 401) { _, _ in false }
                    .on(error: { error, response in
                        #expect(error.isAbandonment)
                        #expect(response?.httpStatus == 401)
                        continuation.resume()
                    })
            }
        }
    }

    @Test
    func itEndsAwaitingThoughTheCallerHoldsTheRequest() async {
        let client = SimpleNetworking(Server.closed())
        let request = SimpleNetworking.get("/x").on(httpStatus: 401) { _, _ in false }
        await expectAbandonment { try await client.send(request) }
        _ = request
    }

    @Test
    func itEndsAwaitingThoughAHandlerHoldsItsOwnRequest() async {
        let client = SimpleNetworking(Server.closed())
        let cycle = SimpleNetworking.get("/x")
        cycle.on(httpStatus: 401) { _, _ in
            _ = cycle
            return false
        }
        await expectAbandonment { try await client.send(cycle) }
    }

    @Test
    func itEndsAwaitingWhenAPromisedRetryIsDropped() async {
        let client = SimpleNetworking(Server.closed())
        let promises = Promises()
        let request = SimpleNetworking.get("/x").on(httpStatus: 401) { request, _ in
            promises.add { request.retry() }
            return false
        }
        let task = Task { try await client.send(request) }
        await promises.dropFirst()
        await expectAbandonment { try await task.value }
    }

    @Test
    func itEndsAwaitingWhenASubclassSwallowsTheRequest() async {
        let client = SwallowingAPI(Server.open())
        await expectAbandonment { try await client.send(SimpleNetworking.get("/x")) }
    }

    nonisolated private func expectAbandonment(
        _ send: @Sendable () async throws -> SimpleResponse,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await #expect(throws: SimpleNetworkingError.self, sourceLocation: sourceLocation) {
            try await send()
        }
        #expect(error?.isAbandonment == true, sourceLocation: sourceLocation)
    }
}

extension SimpleNetworkingError {
    nonisolated fileprivate var isAbandonment: Bool { if case .abandoned = self { true } else { false } }
}
