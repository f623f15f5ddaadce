import Foundation
import SimpleNetworking
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct IsolationTests {
    private let server = StubTransport().on("*", .json("{}"))
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server) { $0.callbackQueue = DispatchQueue(label: "callbacks") }
    }

    @MainActor
    @Test
    func handlersWrittenOnTheMainActorRunThere() async throws {
        var order: [String] = []
        let request = SimpleNetworking(over: server) { $0.callbackQueue = .global() }.get("/x") {
            $0.on(success: { _ in
                MainActor.assertIsolated()
                order.append("success")
            })
            .on(completion: { _ in order.append("completion") })
        }
        await request.ended()
        #expect(order == ["success", "completion"])
        #expect(request.trace.handlers.prefix(2).map(\.place) == ["main", "main"])
    }

    private actor Counter {
        var count = 0

        func load(_ client: SimpleNetworking) -> SimpleRequest {
            client.get("/x") {
                $0.on(
                    httpStatus: 200,
                    { _, _ in
                        self.assertIsolated()
                        self.count += 1
                        return true
                    }
                )
                .on(success: { _ in self.count += 1 })
            }
        }
    }

    @Test
    func handlersWrittenOnAnActorRunThere() async throws {
        let counter = Counter()
        for _ in 0..<50 { await counter.load(client).ended() }
        #expect(await counter.count == 100)
    }

    private actor Screen {
        func load(_ client: SimpleNetworking) -> SimpleRequest {
            client.get("/x") { $0.on(success: { _ in self.assertIsolated() }) }
        }
    }

    @Test
    func traceThatIsKeptDoesNotKeepTheActorsOfHandlers() async throws {
        struct Left: Sendable { weak var screen: Screen? }
        let left: Left
        let trace: RequestTrace
        do {
            let screen = Screen()
            left = Left(screen: screen)
            let request = await screen.load(client)
            await request.ended()
            trace = request.trace
        }
        // The thread that told of the end may still have it.
        try await eventually { left.screen == nil }
        #expect(left.screen == nil)
        #expect(trace.handlers.first?.place == "actor Screen")
    }

    @Test
    func handlersWrittenOutsideAnyActorRunOnTheCallbackQueue() async throws {
        let queue = DispatchQueue(label: "mine")
        let request = SimpleNetworking(over: server) { $0.callbackQueue = queue }.get("/x") {
            $0.on(success: { _ in dispatchPrecondition(condition: .onQueue(queue)) })
        }
        await request.ended()
        #expect(request.trace.handlers.first?.place == "queue mine")
    }

    @Test
    func requestsCallbackQueueWins() async throws {
        let queue = DispatchQueue(label: "own")
        let request = client.get("/x") {
            $0.callbackQueue(queue).on(success: { _ in dispatchPrecondition(condition: .onQueue(queue)) })
        }
        await request.ended()
        #expect(request.trace.handlers.first?.place == "queue own")
    }

    @Test
    func traceShowsWhereAHandlerWasWritten() async throws {
        let request = client.get("/x") { $0.on(success: { _ in }) }
        let line = #line - 1
        await request.ended()
        #expect(request.trace.handlers.first?.fileID == "SimpleNetworkingTests/IsolationTests.swift")
        #expect(request.trace.handlers.first?.line == line)
    }
}
