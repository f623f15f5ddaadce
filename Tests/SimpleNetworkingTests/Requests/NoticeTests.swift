import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Handlers for the events of a running request: starts, retries, redirects.
@Suite(.timeLimit(.minutes(5)))
struct NoticeTests {
    private let server = StubTransport()
    private let calls = Recorder<String>()
    private let clock = VirtualClock()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock)
    }

    private func listen(_ request: SimpleRequest) -> SimpleRequest {
        request
            .on(start: { calls.add("start \($0)") })
            .on(retry: { head, attempt in calls.add("retry \(head.url.path) \(attempt)") })
            .on(redirect: { status, url in calls.add("redirect \(status) \(url.path)") })
            .on(success: { calls.add("success \($0.httpStatus)") })
            .on(error: { error in calls.add("error \(error.httpStatus ?? 0)") })
    }

    @Test
    func noticeHandlersRunInOrderAndBeforeOutcomeHandlers() async throws {
        server.on("/x", .status(401), times: 1).on("/x", .redirect(to: "/y"), times: 1).on("/y", .json("{}"))
        let request = client.get("/x") {
            listen($0).on(httpStatus: 401) { request, _ in
                calls.add("401")
                request.retry()
                return false
            }
        }
        await request.ended()
        #expect(
            calls.elements == [
                "start GET https://api.example.com/x", "401", "retry /x 2", "redirect 302 /y", "success 200",
            ]
        )
        let expected: [TraceStep] = [
            .notice("start"), .status(401), .retry, .notice("retry"), .notice("redirect"), .success, .completion,
        ]
        try expectOrder(of: request, expected)
    }

    @Test
    func policyRetriesCallRetryHandlers() async throws {
        server.on("/x", .status(503), times: 2).on("/x", .json("{}"))
        let request = client.get("/x") {
            listen($0).retry(RetryPolicy(attempts: 3, backoff: .constant(0)))
        }
        await request.ended()
        #expect(calls.elements.dropFirst() == ["retry /x 2", "retry /x 3", "success 200"])
    }

    @Test
    func startHandlerRunsOncePerExecution() async throws {
        server.on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x").on(start: { calls.add($0.url.path) })
        await request.execute(on: client).ended()
        await request.execute(on: client).ended()
        #expect(calls.elements == ["/x", "/x"])
    }

    @Test
    func startHandlerDoesNotRunForAnUnsentRequest() async throws {
        let request = client.get("/x") { $0.body(text: "x").on(start: { calls.add("start \($0)") }) }
        #expect(await request.ended().error != nil)
        #expect(calls.elements == [])
    }

    @Test
    func copiesCallTheirOwnNoticeHandlers() async throws {
        server.on("/x", .json("{}"))
        let request = SimpleNetworking.get("/x").on(start: { calls.add("start \($0.url.path)") })
        _ = try await client.send(request)
        await request.copy().execute(on: client).ended()
        #expect(calls.elements == ["start /x", "start /x"])
    }

    @Test
    func noNoticeHandlerRunsBeforeExecuteReturns() async throws {
        server.on("/x", .json("{}"))
        let calls = calls
        await MainActor.run {
            client.get("/x") { $0.on(start: { _ in calls.add("start") }) }.on(completion: { _ in calls.add("end") })
            calls.add("returned")
        }
        try await eventually { calls.elements.count == 3 }
        #expect(calls.elements == ["returned", "start", "end"])
    }

    /// The first one blocks, so that others queue behind it.
    @Test
    func queuedNoticesRunInTheOrderOfTheirEvents() async throws {
        server.on("/x", .redirect(to: "/y")).on("/y", .redirect(to: "/z")).on("/z", .json("{}"))
        let isHeld = DispatchSemaphore(value: 0)
        let isAnswered = Gate()
        let client = WatchedClient(over: server)
        client.replied = { isAnswered.open() }
        let request = client.get("/x") {
            $0.on(isolation: nil, start: { _ in isHeld.wait() })
                .on(isolation: nil, redirect: { [calls] _, url in calls.add(url.path) })
                .on(isolation: nil, success: { [calls] _ in calls.add("success") })
        }
        try await isAnswered.wait()
        isHeld.signal()
        await request.ended()
        #expect(calls.elements == ["/y", "/z", "success"])
    }

    /// The response arrives while the start handler still runs, and nothing else retains the request.
    @Test
    func slowNoticeHandlerDoesNotAbandonTheRequest() async throws {
        let isHeld = DispatchSemaphore(value: 0)
        let isAnswered = Gate()
        server.on("/x") { _ in .json("{}") }
        let ends = Recorder<String>()
        let client = WatchedClient(over: server)
        client.replied = { isAnswered.open() }
        let ended = Gate()
        client.get("/x") {
            $0.on(isolation: nil, start: { _ in isHeld.wait() })
                .on(
                    isolation: nil,
                    completion: { result in
                        ends.add(result.error.map { "\($0)" } ?? "success")
                        ended.open()
                    }
                )
        }
        try await isAnswered.wait()
        isHeld.signal()
        try await ended.wait()
        #expect(ends.elements == ["success"])
    }
}

/// Signals that a response has arrived and is about to be passed on.
private final class WatchedClient: SimpleNetworking, @unchecked Sendable {
    var replied: @Sendable () -> Void = {}

    override func validate(_ response: SimpleResponse) throws { replied() }
}
