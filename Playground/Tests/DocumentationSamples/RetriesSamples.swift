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
        api.post("/orders") { $0.idempotent(key: orderID).retry(RetryPolicy(attempts: 3)) }
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
