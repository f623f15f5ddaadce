import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

actor Settings {
    private let api: SimpleNetworking
    private var loading: Task<User, any Error>?

    init(api: SimpleNetworking) { self.api = api }

    func user() async throws -> User {
        let task = loading ?? Task { [api] in try await api.send(Request<User>.get("/user")).value }
        loading = task
        do { return try await task.value } catch {
            loading = nil
            throw error
        }
    }
}

/// Runs the samples of the article “Retries and traffic”.
@Suite(.timeLimit(.minutes(5)))
struct RetriesAndTrafficSamples: Sample {
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

    @Test
    func callersShareOneRequest() async throws {
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#))
        let settings = Settings(api: client())
        async let first = settings.user()
        async let second = settings.user()
        #expect(try await [first.name, second.name] == ["Ada", "Ada"])
        #expect(server.requests.count == 1)
    }

    @Test
    func afterAFailureTheNextCallerAsksAgain() async throws {
        server.on("/user", .status(500), times: 1).on("/user", .json(#"{"id": 1, "name": "Ada"}"#))
        let settings = Settings(api: client())
        await #expect(throws: SimpleNetworkingError.self) { try await settings.user() }
        #expect(try await settings.user().name == "Ada")
    }
}
