import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AbandonedTests {
    private let client = SimpleNetworking(over: StubTransport().on("*", .status(401)))

    @Test
    func errorHandlersGetAbandonedWhenTheClosureThatWouldRetryIsReleased() async throws {
        let queue = DispatchQueue(label: "callbacks")
        let (error, response) = try await heard { tell in
            client.get("/x") {
                $0.callbackQueue(queue).on(
                    httpStatus: 401,
                    { request, _ in
                        // Not before the handler has returned: what is released by then was never kept.
                        queue.async { withExtendedLifetime(request) {} }
                        return false
                    }
                )
                .on(isolation: nil, error: { tell(($0, $1)) })
            }
        }
        guard case .abandoned = error else { throw error }
        #expect(response?.httpStatus == 401)
        #expect(error.description.contains("https://api.example.com/x"))
    }

    @Test
    func awaitThrowsWhenTheClosureThatWouldRetryIsReleased() async throws {
        let kept = Locked<[() -> Void]>([])
        let isKept = Gate()
        let queue = DispatchQueue(label: "callbacks")
        let request = SimpleNetworking.get("/x").callbackQueue(queue).on(
            httpStatus: 401,
            { request, _ in
                kept.withLock { $0.append { request.retry() } }
                queue.async { isKept.open() }
                return false
            }
        )
        let task = Task { try await client.send(request) }
        try await isKept.wait()
        kept.withLock { $0.removeAll() }
        await #expect { try await task.value } throws: { Self.isAbandoned($0) }
    }

    @Test
    func awaitThrowsAnErrorThatNamesExecuteWhenASubclassDropsTheRequest() async throws {
        final class Swallowing: SimpleNetworking, @unchecked Sendable {
            override func execute(request: SimpleRequest) {}
        }
        let client = Swallowing(host: "api.example.com")
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(SimpleNetworking.get("/x"))
        }
        #expect(Self.isAbandoned(try #require(error)))
        #expect(error?.description.contains("execute(request:) released it without super.execute(request:)") == true)
        #expect(error?.description.contains("handler") == false)
    }

    @Test
    func errorNamesTheHandlerThatKeptARequestWithoutAResponse() async throws {
        let client = SimpleNetworking(over: StubTransport().on("*", .failure(.offline)))
        let queue = DispatchQueue(label: "callbacks")
        let request = client.get("/x") {
            $0.callbackQueue(queue).on(noResponse: { request, _ in
                queue.async { withExtendedLifetime(request) {} }
                return false
            })
        }
        let error = try #require(await request.ended().error)
        #expect(error.description.contains("was abandoned after no response: a handler returned false"))
    }

    @Test
    func anExecutionIsAbandonedEvenThoughTheCallerHoldsTheRequest() async throws {
        let kept = Locked<[SimpleRequest]>([])
        let isKept = Gate()
        let queue = DispatchQueue(label: "callbacks")
        let request = client.get("/x") {
            $0.callbackQueue(queue).on(
                httpStatus: 401,
                { request, _ in
                    kept.withLock { $0.append(request) }
                    queue.async { isKept.open() }
                    return false
                }
            )
        }
        try await isKept.wait()
        #expect(kept.withLock { $0 } == [request])
        kept.withLock { $0.removeAll() }
        #expect(Self.isAbandoned(try #require(await request.ended().error)))
    }

    @Test
    func statusHandlerMayFailARequestItTookOver() async throws {
        struct Refusal: Error {}
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    request.fail(Refusal())
                    request.fail(CancellationError())
                    return false
                }
            )
        }
        guard case .failed(is Refusal, let head, _)? = await request.ended().error else { throw Refusal() }
        #expect(head?.url.path == "/x")
        try expectOrder(of: request, [.status(401), .end, .completion])
    }

    private static func isAbandoned(_ error: any Error) -> Bool {
        if case SimpleNetworkingError.abandoned = error { true } else { false }
    }
}
