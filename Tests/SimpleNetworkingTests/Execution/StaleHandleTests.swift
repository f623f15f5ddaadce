import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What the object that a status handler got does when it is used too late.
@Suite(.timeLimit(.minutes(5)))
struct StaleHandleTests {
    private struct Late: Error {}

    private let server = StubTransport()
    private let kept = Locked<SimpleRequest?>(nil)
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    /// A request whose handler for 401 has kept its object.
    private func refused(on client: SimpleNetworking) async throws -> SimpleRequest {
        let request = client.post("/pay") {
            $0.on(httpStatus: 401) { request, _ in
                kept.withLock { $0 = request }
                return false
            }
        }
        try await eventually { request.isTakenOver }
        return request
    }

    @Test
    func aLateRetryAfterAnotherExecutionSendsNothing() async throws {
        server.on("*", .status(401), times: 1).on("*", .json("{}"))
        let request = try await refused(on: client)
        request.cancel()
        await request.ended()
        #expect(await request.execute(on: client).ended().value != nil)
        kept.withLock { $0.take() }?.retry()
        await request.ended()
        #expect(server.requests.count == 2)
        #expect(request.trace.events.contains { if case .ignored = $0.kind { true } else { false } })
    }

    @Test(
        arguments: [
            { $0.fail(Late()) }, { $0.stop() }, { $0.retry() }, { $0.retry(after: 1) },
            { $0.succeed(with: SimpleResponse(request: RequestHead(method: .get, url: URL(fileURLWithPath: "/")))) },
        ] as [@Sendable (SimpleRequest) -> Void]
    )
    func aLateCallLeavesALaterExecutionAlone(call: @Sendable (SimpleRequest) -> Void) async throws {
        let gate = Gate()
        server.on("*", .status(401), times: 1).on("*", StubResponse.json(#"{"of": "the later"}"#).after(gate))
        let request = try await refused(on: client)
        request.cancel()
        await request.ended()
        request.execute(on: client)
        await gate.arrivals(1)
        kept.withLock { $0.take() }.map(call)
        gate.open()
        #expect(await request.ended().value?.text == #"{"of": "the later"}"#)
        #expect(server.requests.count == 2)
    }

    @Test
    func aLateCallLeavesALaterPageAlone() async throws {
        let gate = Gate()
        server.on("/items", where: [.query("p", nil)], .status(401), times: 1)
            .on("/items", where: [.query("p", nil)], .json(#"{"results": [{"id": 1}], "next": "/items?p=2"}"#))
            .on("/items", where: [.query("p", "2")], StubResponse.json(#"{"results": [], "next": null}"#).after(gate))
        let request = client.get("/items") {
            $0.on(page: .links(), of: ListServer.Item.self, at: "results") { _ in true }
                .on(httpStatus: 401) { request, _ in
                    kept.withLock { $0 = request }
                    return false
                }
        }
        try await eventually { request.isTakenOver }
        request.retry()
        await gate.arrivals(1)
        kept.withLock { $0.take() }?.fail(Late())
        gate.open()
        #expect(await request.ended().value != nil)
    }

    @Test
    func aRefreshThatEndsLateLeavesALaterExecutionAlone() async throws {
        server.on("*", .status(401), times: 1).on("*", .status(503), times: 1).on("*", .json("{}"))
        let done = Locked<RefreshCompletion?>(nil)
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                client.reauthenticate(request) { completion in done.withLock { $0 = completion } }
                return false
            }
            .on(httpStatus: 503) { request, _ in
                kept.withLock { $0 = request }
                return false
            }
        }
        try await eventually { request.isTakenOver }
        request.cancel()
        await request.ended()
        request.execute(on: client)
        try await eventually { request.isTakenOver }
        done.withLock { $0.take() }?(Late())
        kept.withLock { $0.take() }?.retry()
        #expect(await request.ended().value != nil)
    }

    @Test
    func theObjectOfTheLastAttemptRetriesAfterTheEnd() async throws {
        server.on("*", .status(401), times: 1).on("*", .json("{}"))
        let request = try await refused(on: client)
        let handle = kept.withLock { $0.take() }
        request.stop()
        await request.ended()
        handle?.retry()
        try await eventually { server.requests.count == 2 }
        #expect(await request.ended().value != nil)
    }
}
