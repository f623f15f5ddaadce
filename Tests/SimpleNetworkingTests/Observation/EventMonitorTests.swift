import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventMonitorTests {
    private struct Monitor: EventMonitor {
        let heard = Recorder<(event: RequestEvent, request: ObservedRequest)>()

        func observe(_ event: RequestEvent, of request: ObservedRequest) { heard.add((event, request)) }
    }

    @Test
    func monitorReceivesEveryEventInOrder() async throws {
        let (first, second) = (Monitor(), Monitor())
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .status(503), times: 1).on("*", .redirect(to: "/y"), times: 1)
                .on("*", .json("{}"))
            $0.eventMonitors = [first, second]
            $0.logger = .quiet
        }
        let line = #line + 1
        let request = client.get("/x?token=s3cret") {
            $0.tag("id", "tag").on(httpStatus: 503) { request, _ in
                request.retry()
                return false
            }
            .on(success: { _ in })
        }
        await request.ended()
        // The completion handler that ends the wait is reported when it has returned.
        try await eventually {
            second.heard.elements.contains { "\($0.event.kind)".hasPrefix("handler for completion") }
        }

        let heard = first.heard.elements
        // A handler's event follows after it returns: events that it causes may come first.
        let kinds = heard.map { event in String("\(event.event.kind)".prefix(14)) }.filter { $0 != "handler for st" }
        let expected: [String] = [
            "attempt 1: GET", "status 503, 0 ", "retry", "attempt 2: GET", "status 302, 0 ", "redirect 302 t",
            "status 200, 2 ", "ended: success", "handler for su", "handler for co",
        ]
        #expect(kinds == expected)
        #expect(Set(heard.map(\.request.number)).count == 1)
        let named = try #require(heard.first?.request)
        #expect(named.description == "GET /x?token=‹secret›")
        #expect(named.tags == ["id": "tag"])
        #expect(named.fileID == "SimpleNetworkingTests/EventMonitorTests.swift" && named.line == line)
        #expect(second.heard.elements.count == heard.count)
        guard case .handler(let run)? = heard.map(\.event.kind).first(where: { "\($0)".hasPrefix("handler") }) else {
            throw "no handler".asError
        }
        #expect(run.decision == false)
    }

    @Test
    func monitorReceivesUnhandledErrors() async throws {
        let monitor = Monitor()
        let client = SimpleNetworking(over: StubTransport().on("*", .status(500))) {
            $0.eventMonitors = [monitor]
        }
        client.get("/x")
        try await eventually { monitor.heard.elements.contains { "\($0.event.kind)".hasPrefix("unhandled error") } }
    }

    private struct Numbers: Middleware {
        let seen = Recorder<Int?>()

        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            seen.add(request.number)
            return try await next(request)
        }
    }

    @Test
    func middlewareHasTheNumberThatMonitorsReceive() async throws {
        let (monitor, numbers) = (Monitor(), Numbers())
        let stub = StubTransport().on("*", .status(503, headers: ["Retry-After": "0"]), times: 2)
            .on("*", .redirect(to: "/y"), times: 1).on("*", .json("{}"))
        func client(_ monitors: [any EventMonitor]) -> SimpleNetworking {
            SimpleNetworking(host: "api.example.com") {
                // A log would observe the request, too.
                ($0.transport, $0.eventMonitors, $0.middleware, $0.logger) = (stub, monitors, [numbers], .silent)
            }
        }
        // The policy repeats the first attempt, and a handler the second.
        let request = SimpleNetworking.get("/x").retry(RetryPolicy(attempts: 2))
            .on(httpStatus: 503) { request, _ in
                request.retry()
                return false
            }
        _ = try await client([monitor]).send(request)
        let number = try #require(monitor.heard.elements.first?.request.number)
        #expect(numbers.seen.elements == [number, number, number])
        #expect(stub.requests.map(\.number) == [number, number, number, number])
        _ = try await client([]).send(SimpleNetworking.get("/x"))
        #expect(numbers.seen.elements.last == .some(nil))
    }

    @Test
    func everyRequestHasItsOwnNumber() async throws {
        let monitor = Monitor()
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}"))) {
            $0.eventMonitors = [monitor]
        }
        for _ in 0..<10 { _ = try await client.send(SimpleNetworking.get("/x")) }
        #expect(Set(monitor.heard.elements.map(\.request.number)).count == 10)
    }
}
