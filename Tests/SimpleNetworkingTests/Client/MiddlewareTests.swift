import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Middleware in a client's configuration.
@Suite(.timeLimit(.minutes(5)))
struct MiddlewareTests {
    private let server = StubTransport()
    private let calls = Recorder<String>()

    @Test
    func firstMiddlewareIsOutermost() async throws {
        server.on("/x", .json("{}"))
        let calls = calls
        let middleware = ["a", "b", "c"].map { name in
            Closure { request, next in
                calls.add("\(name) \(request.headers["X-Seen"] ?? "")")
                var request = request
                request.headers["X-Seen"] = (request.headers["X-Seen"] ?? "") + name
                var response = try await next(request)
                response.headers["X-Back"] = (response.headers["X-Back"] ?? "") + name
                return response
            }
        }
        let response = try await SimpleNetworking(over: server, through: middleware).send(.get("/x"))
        #expect(calls.elements == ["a ", "b a", "c ab"])
        #expect(server.requests.first?.headers["X-Seen"] == "abc")
        #expect(response.headers["X-Back"] == "cba")
    }

    @Test
    func middlewareOfARequestIsInsideThatOfItsClient() async throws {
        server.on("/x", .json("{}"))
        let calls = calls
        func named(_ name: String) -> Closure {
            Closure { request, next in
                calls.add(name)
                return try await next(request)
            }
        }
        let client = SimpleNetworking(over: server, through: [named("client")])
        let request = SimpleNetworking.get("/x").middleware(named("a"), named("b")).middleware(named("c"))
        try await client.send(request)
        #expect(calls.elements == ["client", "a", "b", "c"])
        try await client.send(.get("/x"))
        #expect(calls.elements.dropFirst(4) == ["client"])
    }

    @Test
    func middlewareMayRespondWithoutSending() async throws {
        let client = SimpleNetworking(
            over: server,
            through: [
                Closure { _, _ in TransportResponse(httpStatus: 200, data: Data(#"{"name": "stored"}"#.utf8)) },
                Closure { _, _ in throw Surprise("this is never called") },
            ]
        )
        let response = try await client.send(Request<[String: String]>.get("/x"))
        #expect(response.value == ["name": "stored"])
        #expect(response.request.url.absoluteString == "https://api.example.com/x")
        #expect(server.requests.isEmpty)
    }

    @Test
    func middlewareErrorEndsTheRequestAndKeepsItsHead() async throws {
        let client = SimpleNetworking(over: server, through: [Closure { _, _ in throw Surprise("mine") }])
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(.get("/x")) }
        guard case .failed(let own, let head, nil)? = error else { throw Surprise("\(error as Any)") }
        #expect((own as? Surprise)?.description == "mine")
        #expect(head?.url.path == "/x")
    }

    @Test
    func middlewareMaySendTwice() async throws {
        server.on("/x", .status(401), times: 1).on("/x", .json("{}"))
        let signing = Closure { request, next in
            let first = try await next(request)
            guard first.httpStatus == 401 else { return first }
            var signed = request
            signed.headers["X-Signature"] = "s"
            return try await next(signed)
        }
        let client = SimpleNetworking(over: server, through: [signing])
        let request = SimpleNetworking.get("/x").on(httpStatus: 401) { _, _ in
            Issue.record("no other handler runs")
            return true
        }
        let response = try await client.send(request)
        #expect(response.attempt == 1)
        #expect(response.request.headers["X-Signature"] == "s")
        #expect(server.requests.map { $0.headers["X-Signature"] } == [nil, "s"])
        try expectOrder(of: request, [.attempt(1)])
    }

    @Test
    func middlewareSeesEveryAttemptButNotEachRedirect() async throws {
        server.on("/x", .status(503), times: 1).on("/x", .redirect(to: "/y")).on("/y", .json("{}"))
        let calls = calls
        let noting = Closure { request, next in
            let response = try await next(request)
            calls.add("\(request.url.path) \(response.httpStatus) \(response.request?.url.path ?? "")")
            return response
        }
        let client = SimpleNetworking(over: server, through: [noting])
        _ = try await client.send(SimpleNetworking.get("/x").retry(RetryPolicy(attempts: 2, backoff: .constant(0))))
        #expect(calls.elements == ["/x 503 /x", "/x 200 /y"])
        #expect(server.requests.count == 3)
    }

    @Test
    func middlewareMaySendInItsOwnTask() async throws {
        server.on("*", .json("{}"))
        let client = SimpleNetworking(over: server, through: [Detached()])
        #expect(try await client.send(SimpleNetworking.get("/x")).httpStatus == 200)
    }

    @Test
    func cancellingCancelsMiddleware() async throws {
        let gate = Gate()
        let waiting = Closure { request, next in
            try await gate.wait()
            return try await next(request)
        }
        let client = SimpleNetworking(over: server, through: [waiting])
        let task = Task { try await client.send(.get("/x")) }
        await gate.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

/// Sends in an unstructured task.
private struct Detached: Middleware {
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await Task { try await next(request) }.value
    }
}

private struct Closure: Middleware {
    let body: @Sendable (TransportRequest, Next) async throws -> TransportResponse

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await body(request, next)
    }
}
