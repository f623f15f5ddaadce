import Adapters
import MetricsTestKit
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The adapter for swift-metrics.
@Suite(.timeLimit(.minutes(1)))
struct SwiftMetricsTests {
    private let metrics = TestMetrics()
    private let clock = VirtualClock()
    private let server = StubTransport()

    private func client(maxHosts: Int = 20) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger, $0.clock) = (server, .silent, clock)
            $0.eventMonitors = [RequestMetrics(factory: metrics, maxHosts: maxHosts)]
        }
    }

    private let labels = [("http.request.method", "GET"), ("server.address", "api.example.com")]

    @Test
    func aRequestIsCountedAndTimedWithItsRetries() async throws {
        server.on("/user", .status(503, headers: ["Retry-After": "2"]), times: 1).on("/user", .json("{}"))
        let api = client()
        async let sent = api.send(SimpleNetworking.get("/user?id=7").retry(RetryPolicy(attempts: 2)))
        while !clock.alarms.contains(2) { await Task.yield() }
        #expect(try metrics.expectMeter("http.client.active_requests").lastValue == 1)
        clock.advance(by: 2)
        _ = try await sent
        #expect(try metrics.expectCounter("http.client.attempts", labels).totalValue == 2)
        let ended = labels + [("http.response.status_code", "200")]
        #expect(try metrics.expectCounter("http.client.requests", ended).totalValue == 1)
        #expect(try metrics.expectTimer("http.client.request.duration", ended).values == [2_000_000_000])
        #expect(try metrics.expectMeter("http.client.active_requests").lastValue == 0)
    }

    @Test(arguments: [
        (StubResponse.status(404), [("http.response.status_code", "404"), ("error.type", "404")]),
        (.status(304), [("http.response.status_code", "304"), ("error.type", "invalidResponse")]),
        (.status(799), [("http.response.status_code", "_OTHER"), ("error.type", "_OTHER")]),
        (.failure(.offline), [("error.type", "networkingError")]),
    ])
    func aFailureIsCountedByItsStatusOrItsKind(response: StubResponse, expected: [(String, String)]) async throws {
        server.on("*", response)
        await client().get("/user").ended()
        #expect(try metrics.expectCounter("http.client.requests", labels + expected).totalValue == 1)
        #expect(try metrics.expectTimer("http.client.request.duration", labels + expected).values.count == 1)
        #expect(metrics.counters(label: "http.client.requests").count == 1)
    }

    @Test
    func aRequestThatWasNeverSentIsNotCounted() async throws {
        await client().get("http://[").ended()
        #expect(metrics.counters.isEmpty && metrics.meters.isEmpty && metrics.timers.isEmpty)
    }

    @Test
    func theValuesOfLabelsAreBounded() async throws {
        server.on("*", .json("{}"))
        let api = client(maxHosts: 2)
        for number in 1...100 {
            let method = HTTPMethod(rawValue: "METHOD\(number)")
            let request = SimpleNetworking.request(method, path: "https://\(number).example/\(number)")
            await request.execute(on: api).ended()
        }
        let counters = metrics.counters(label: "http.client.requests")
        #expect(
            Set(counters.map { $0.dimensions.map(\.1) }) == [
                ["_OTHER", "1.example", "200"],
                ["_OTHER", "2.example", "200"], ["_OTHER", "_OTHER", "200"],
            ]
        )
        #expect(metrics.counterTotal(label: "http.client.requests") == 100)
    }
}
