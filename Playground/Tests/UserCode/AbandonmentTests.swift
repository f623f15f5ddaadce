import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Lost callbacks: a kept request that is released ends its execution with `.abandoned`.
@Suite(.timeLimit(.minutes(1)))
struct AbandonmentTests {
    @Test
    func errorHandlersGetTheResponseWhenAKeptRequestIsReleased() async {
        let client = SimpleNetworking(Server.closed())
        let promises = Promises()
        var statuses: [Int?] = []
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                promises.add { request.retry() }
                return false
            }
            .on(error: { error, response in
                #expect(error.isAbandonment)
                statuses.append(response?.httpStatus)
            })
        }
        await promises.dropFirst()
        #expect(await request.ended().failure?.isAbandonment == true)
        #expect(statuses == [401])
    }

    @Test
    func awaitingEndsWhenAKeptRequestIsReleased() async {
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
    func awaitingEndsWhenASubclassSwallowsTheRequest() async {
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

/// Forgets every request.
nonisolated class SwallowingAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {}
}
