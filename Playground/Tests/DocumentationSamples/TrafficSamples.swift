import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

/// Runs the samples of the article “Traffic”.
@Suite(.timeLimit(.minutes(5)))
struct TrafficSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private func print(_ item: Any) { printed.add("\(item)") }

    func rules() -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.traffic.inFlight = 6
            $0.traffic.rate = .perSecond(10, burst: 20)
            $0.traffic.respectsRateLimits = true
        }
        return api
    }

    func priority(_ api: SimpleNetworking) {
        api.get("/avatar") { $0.priority(.low) }
    }

    func once(_ api: SimpleNetworking, _ order: [String: String]) {
        api.post("/orders", body: order) { $0.idempotent().retry(RetryPolicy(attempts: 3)) }
    }

    func problem(_ api: SimpleNetworking, _ order: [String: String]) {
        api.post("/orders", body: order) {
            $0.on(error: { error in print(error.problem?.title ?? error.description) })
        }
    }

    func breaker() -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [CircuitBreaker()] }
        return api
    }

    func allowance() -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.retryPolicy = RetryPolicy(attempts: 3)
            $0.retryAllowance = RetryAllowance()
        }
        return api
    }

    func hedging() -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [Hedging(after: 0.2)] }
        return api
    }

    @discardableResult func search(_ api: SimpleNetworking, _ text: String) -> SimpleRequest {
        api.get("/search", query: ["q": text]) {
            $0.replacing("search").on(success: [User].self) { users in print(users.map(\.name)) }
        }
    }

    @Test
    func theNewestSearchIsShown() async throws {
        let gate = Gate()
        server.on("/search", where: [.query("q", "ada")], .json(#"[{"id": 1, "name": "Ada"}]"#))
            .on("/search", .json("[]").after(gate))
        let api = client()
        let older = search(api, "a")
        #expect(await search(api, "ada").ended().value != nil)
        #expect(await older.ended().error?.isCancellation == true)
        gate.open()
        #expect(printed.elements == [#"["Ada"]"#])
    }

    @Test
    func callersShareOneRequest() async throws {
        let gate = Gate()
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#).after(gate))
        let api = client { $0.traffic.coalesces = true }
        let requests = [api.get("/user"), api.get("/user")]
        while !requests.contains(where: { "\($0.trace)".contains("joins GET") }) { await Task.yield() }
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests.count == 1)
    }
}
