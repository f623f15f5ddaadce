import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Retries”.
@Suite(.timeLimit(.minutes(5)))
struct RetriesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func retry(_ orderID: String) {
        let api = SimpleNetworking(host: "api.example.com") { $0.retryPolicy = RetryPolicy(attempts: 3) }
        api.get("/report") { $0.retry(RetryPolicy(attempts: 5, backoff: .constant(2))) }
        let doubling = RetryPolicy(attempts: 5, backoff: .exponential(base: 1, factor: 2, jitters: false))
        api.post("/orders") { $0.idempotent(key: orderID).retry(RetryPolicy(attempts: 3)) }
        _ = doubling
    }

    @Test
    func delaysWithoutJitterDouble() async throws {
        let clock = VirtualClock()
        let api = client {
            $0.clock = clock
            $0.timeout = 500
        }
        server.on(.get, "/slow", .status(503))
        let doubling = RetryPolicy(attempts: 5, backoff: .exponential(base: 1, factor: 2, jitters: false))
        let request = api.get("/slow") { $0.retry(doubling) }
        for _ in 1...4 { try await clock.advance(to: .retry) }
        await request.ended()
        #expect(clock.now == 15)
    }

    @Test
    func aPolicyRepeatsWhatIsSafe() async throws {
        let clock = VirtualClock()
        let api = client {
            $0.clock = clock
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
        }
        server.on(.get, "/report", .status(503), times: 1).on(.get, "/report", .json("{}"))
            .on(.post, "/orders", .status(503))
        _ = try await api.send(SimpleNetworking.get("/report"))
        await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.post("/orders")) }
        await #expect(throws: SimpleNetworkingError.self) {
            try await api.send(SimpleNetworking.post("/orders").header("Idempotency-Key", "7"))
        }
        #expect(server.log == ["GET /report", "GET /report", "POST /orders", "POST /orders", "POST /orders"])
    }
}
