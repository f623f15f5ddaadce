import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    /// It is shared by all requests, and nothing of this one was sent.
    @Test
    func aRefreshThatFailedIsNotRepeatedByThePolicy() async throws {
        let refreshes = Recorder<Int>()
        let bearer = BearerAuthenticator(
            token: Secret("0"),
            refresh: { _ in
                refreshes.add(1)
                throw NetworkFailure(.offline)
            },
            isExpired: { _ in true }
        )
        let client = SimpleNetworking(over: StubTransport().on("*", .json("{}")), clock: VirtualClock()) {
            $0.authenticator = bearer
            $0.retryPolicy = RetryPolicy(attempts: 3)
        }
        guard case .authentication? = await client.get("/x").ended().error else { throw Surprise("another end") }
        #expect(refreshes.elements.count == 1)
    }

    @Test
    func aRetryKeepsTheHandlersAndCountsAttempts() async throws {
        let server = StubTransport().on("/x", .status(503), times: 2).on("/x", .json("{}"))
        let attempts = Recorder<Int>()
        let request = SimpleNetworking(over: server).get("/x") {
            $0.on(
                httpStatus: 503,
                { request, response in
                    attempts.add(response.attempt)
                    request.retry()
                    return false
                }
            )
            .on(success: { attempts.add($0.attempt) })
        }
        await request.ended()
        #expect(attempts.elements == [1, 2, 3])
        try expectOrder(of: request, [.status(503), .retry, .status(503), .retry, .success, .completion])
    }

    @Test
    func retryIsInTheTraceWhileItsDelayPasses() async {
        let clock = VirtualClock()
        let api = SimpleNetworking(over: StubTransport().on("/x", .status(503)), clock: clock) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(60))
        }
        let request = api.get("/x")
        await clock.alarms(1, for: .retry)
        #expect(request.trace.description.contains("retry in 60000 ms"))
        request.cancel()
        await request.ended()
    }

    @Test(arguments: [0, 1, 2, 5])
    func errorHandlersGetTheLastResponseAtTheRetryLimit(limit: Int) async throws {
        let server = StubTransport().on("/x", .json(#"{"why": "busy"}"#, status: 503))
        let request = SimpleNetworking(over: server) { $0.maxRetries = limit }.get("/x") {
            $0.on(
                httpStatus: 503,
                { request, _ in
                    request.retry()
                    return false
                }
            )
        }
        let error = await request.ended().error
        #expect(server.requests.count == limit + 1)
        #expect(error?.httpStatus == 503)
        #expect(error?.response?.json?["why"] as? String == "busy")
        #expect(request.trace.description.contains("no retry is left of \(limit)"))
    }

    @Test
    func aSecondRetryOfOneAttemptDoesNothing() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    request.retry()
                    request.retry()
                    request.retry(on: client)
                    return false
                }
            )
        }
        await request.ended()
        #expect(server.requests.count == 2)
        try expectOrder(of: request, [.status(401), .retry, .ignored, .ignored, .completion])
    }

    @Test
    func statusHandlerThatRetriedCannotEndTheNextAttempt() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .status(402))
        let request = SimpleNetworking(over: server).get("/x") {
            $0.on(
                httpStatus: 401,
                { request, response in
                    request.retry()
                    request.fail(CancellationError())
                    request.succeed(with: response)
                    return false
                }
            )
        }
        #expect(await request.ended().error?.httpStatus == 402)
    }

    @Test
    func retryWinsOverTrue() async throws {
        let server = StubTransport().on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let request = SimpleNetworking(over: server).get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    request.retry()
                    return true
                }
            )
            .on(error: { error in Issue.record("the retry wins: \(error)") })
        }
        #expect(await request.ended().value?.attempt == 2)
    }

    @Test
    func errorHandlerThatAlwaysRetriesEndsAtTheLimit() async throws {
        let server = StubTransport().on("/x", .status(500))
        let errors = Recorder<Int>()
        let last = Gate()
        let request = SimpleNetworking.get("/x")
        request.on(error: { [unowned request] error in
            errors.add(error.response?.attempt ?? 0)
            request.retry()
            if errors.elements.count == 4 { last.open() }
        })
        request.execute(on: SimpleNetworking(over: server))
        try await last.wait()
        await request.ended()
        #expect(server.requests.count == 4)
        #expect(errors.elements == [1, 2, 3, 4])
    }

    @Test
    func delayedRetryWaitsOnTheClockAndRetainsTheRequest() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/x", .status(503), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.timeout = 1000 }
        let task = Task {
            try await client.send(
                SimpleNetworking.get("/x").on(
                    httpStatus: 503,
                    { request, _ in
                        request.retry(after: 30)
                        return false
                    }
                )
            )
        }
        try await eventually { clock.alarms == [30] }
        #expect(server.requests.count == 1)
        clock.advance(by: 30)
        #expect(try await task.value.attempt == 2)
    }

    @Test
    func delayedRetryOfAnErrorHandlerWaitsOnTheClock() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/x", .status(500), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock)
        let isDone = Gate()
        let request = SimpleNetworking.get("/x")
        request.on(isolation: nil, error: { [weak request] _ in request?.retry(after: 7) })
        request.on(isolation: nil, success: { _ in isDone.open() })
        request.execute(on: client)
        try await eventually { clock.alarms == [7] }
        #expect(server.requests.count == 1)
        clock.advance(by: 7)
        try await isDone.wait()
        #expect(request.attempt == 2)
    }

    @Test
    func executingARunningRequestOnlyWarns() async throws {
        let gate = Gate()
        let server = StubTransport().on("/x", .json("{}").after(gate))
        let warnings = Recorder<String>()
        let client = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.logger = RequestLogger { _, message in warnings.add(message) }
        }
        let request = client.get("/x")
        request.execute(on: client)
        client.execute(request: request)
        gate.open()
        await request.ended()
        #expect(server.requests.count == 1)
        #expect(warnings.elements.count == 2)
    }

    @Test
    func executingAnEndedRequestCountsFromOne() async throws {
        let server = StubTransport().on("/x", .status(500), times: 1).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x")
        #expect(await request.ended().error?.httpStatus == 500)
        request.execute(on: client)
        #expect(await request.ended().value?.attempt == 1)
    }

    @Test
    func executeInAStatusHandlerIsLimitedLikeARetry() async throws {
        let server = StubTransport().on("/x", .status(401))
        let client = SimpleNetworking(over: server)
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    client.execute(request: request)
                    return false
                }
            )
        }
        #expect(await request.ended().error?.httpStatus == 401)
        #expect(server.requests.count == 4)
    }
}
