import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Where handlers run that are written outside any actor, by code that runs on the main actor.
@Suite(.timeLimit(.minutes(5)))
struct MainActorPlaceTests {
    private let client = SimpleNetworking(over: StubTransport().on("*", .json("{}")))

    /// Adds a handler in code that belongs to no actor.
    private static func handled(_ request: SimpleRequest, _ note: @escaping () -> Void = {}) -> SimpleRequest {
        request.on(success: { _ in note() })
    }

    /// Says where the first handler of a request ran.
    private func place(of request: SimpleRequest) async -> String? {
        await request.ended()
        return request.trace.handlers.first?.place
    }

    @MainActor
    @Test
    func aHandlerAddedByCodeThatATaskOfTheMainActorCallsRunsOnTheMainActor() async {
        var count = 0
        let request = Self.handled(SimpleNetworking.get("/x")) {
            MainActor.assertIsolated()
            count += 1
        }
        request.execute(on: client)
        #expect(await place(of: request) == "main")
        #expect(count == 1)
    }

    @MainActor
    @Test
    func everyKindOfHandlerAddedSoRunsOnTheMainActor() async {
        func handled(_ request: SimpleRequest) -> SimpleRequest {
            request.on(isolation: nil, start: { _ in })
                .on(isolation: nil, httpStatus: 200, { _, _ in true })
                .on(isolation: nil, success: [String: Int].self) { _ in }
                .on(isolation: nil, completion: { _ in })
        }
        let request = handled(SimpleNetworking.get("/x"))
        request.execute(on: client)
        await request.ended()
        #expect(request.trace.handlers.prefix(4).map(\.place) == Array(repeating: "main", count: 4))
    }

    @MainActor
    @Test
    func aHandlerAddedByCodeThatAHandlerOnTheMainActorCallsRunsThereToo() async {
        let inner = SimpleNetworking.get("/inner")
        let client = client
        await withCheckedContinuation { continuation in
            client.get("/outer") {
                $0.on(success: { _ in Self.handled(inner).execute(on: client) })
                    .on(completion: { _ in continuation.resume() })
            }
        }
        #expect(await place(of: inner) == "main")
    }

    @MainActor
    @Test
    func clientsCallbackQueueWinsOverAnUnnamedMainActor() async {
        let queue = DispatchQueue(label: "mine")
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0.callbackQueue = queue
        }
        let request = Self.handled(SimpleNetworking.get("/x"))
        request.execute(on: client)
        #expect(await place(of: request) == "queue mine")
    }

    @MainActor
    @Test
    func requestsCallbackQueueWinsOverAnUnnamedMainActor() async {
        let request = Self.handled(SimpleNetworking.get("/x").callbackQueue(DispatchQueue(label: "own")))
        request.execute(on: client)
        #expect(await place(of: request) == "queue own")
    }

    @MainActor
    @Test
    func aCopyKeepsTheMainActorAsThePlaceOfItsHandlers() async throws {
        let request = Self.handled(SimpleNetworking.get("/x"))
        let copy = await Task.detached { request.copy() }.value
        copy.execute(on: client)
        #expect(await place(of: copy) == "main")
    }

    @Test
    func aHandlerAddedInATaskOutsideTheMainActorRunsOnTheCallbackQueue() async {
        let request = Self.handled(SimpleNetworking.get("/x"))
        request.execute(on: client)
        #expect(await place(of: request) == usualPlace)
    }

    @Test
    func aHandlerAddedOnTheMainQueueOutsideAnyTaskRunsOnTheCallbackQueue() async {
        let request = SimpleNetworking.get("/x")
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                _ = Self.handled(request)
                continuation.resume()
            }
        }
        request.execute(on: client)
        #expect(await place(of: request) == usualPlace)
    }

    @MainActor
    @Test
    func aTaskThatAHandlerOnTheMainActorStartsElsewhereIsNotOnTheMainActor() async {
        let inner = SimpleNetworking.get("/inner")
        let client = client
        await withCheckedContinuation { continuation in
            client.get("/outer") {
                $0.on(success: { _ in
                    Task { @Sendable in
                        await Self.execute(inner, on: client)
                        continuation.resume()
                    }
                })
            }
        }
        #expect(await place(of: inner) == usualPlace)
    }

    // Without an actor, an asynchronous function of this module runs on none.
    private static func execute(_ request: SimpleRequest, on client: SimpleNetworking) async {
        handled(request).execute(on: client)
    }

    private var usualPlace: String {
        #if canImport(Darwin)
            "main"
        #else
            "queue SimpleNetworking.callbacks"
        #endif
    }
}
