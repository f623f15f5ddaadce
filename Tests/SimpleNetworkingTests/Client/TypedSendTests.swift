import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Awaiting a typed request: its value, its errors.
@Suite(.timeLimit(.minutes(5)))
struct TypedSendTests {
    struct User: Codable, Equatable, Sendable { var name: String }

    private let server = StubTransport()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    @Test
    func valueIsReturnedWithItsResponse() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#, status: 201, headers: ["X-Rate": "5"]))
        let response = try await client.send(Request<User>.get("/user", query: [("id", "7")]))
        #expect(response.value == User(name: "Ada"))
        #expect(response.statusCode == 201)
        #expect(response.headers["x-rate"] == "5")
        #expect(response.data == Data(#"{"name": "Ada"}"#.utf8))
        #expect(response.request.url.absoluteString == "https://api.example.com/user?id=7")
        #expect(response.attempt == 1)
        #expect(response.map(\.name).value == "Ada")
        #expect("\(response)" == "GET https://api.example.com/user?id=7 → 201, 15 bytes")
    }

    @Test
    func valueTypeIsInferredFromTheCall() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let user: User = try await client.send(.get("/user")).value
        #expect(user.name == "Ada")
        #expect(try await client.data(for: Request<User>.get("/user")).value == Data(#"{"name": "Ada"}"#.utf8))
    }

    @Test
    func voidIgnoresTheContent() async throws {
        server.on("/user", .text("no JSON"))
        try await client.send(.post("/user", body: ["kean@example.com"]))
    }

    @Test
    func bytesTextAndOptionalsNeedNoJSON() async throws {
        server.on("/text", .text("é")).on("/empty", .status(204)).on("/user", .json(#"{"name": "Ada"}"#))
        #expect(try await client.send(Request<Data>.get("/text")).value == Data("é".utf8))
        #expect(try await client.send(Request<String>.get("/text")).value == "é")
        #expect(try await client.send(Request<Data?>.get("/text")).value == Data("é".utf8))
        #expect(try await client.send(Request<String?>.get("/text")).value == "é")
        #expect(try await client.send(Request<User?>.get("/user")).value == User(name: "Ada"))
        #expect(try await client.send(Request<User?>.get("/empty")).value == nil)
        #expect(try await client.send(Request<Data>.get("/empty")).value == Data())
        #expect(try await client.send(Request<String>.get("/empty")).value.isEmpty)
    }

    @Test(arguments: [200, 204])
    func emptyContentIsNilForEveryOptional(status: Int) async throws {
        server.on("/empty", .status(status))
        #expect(try await client.send(Request<String?>.get("/empty")).value == nil)
        #expect(try await client.send(Request<Data?>.get("/empty")).value == nil)
        #expect(try await client.send(Request<User?>.get("/empty")).value == nil)
        let response = try await client.send(SimpleNetworking.get("/empty"))
        #expect(try response.decode(String?.self) == nil && response.decode(Data?.self) == nil)
    }

    @Test
    func emptyContentFailsForANonOptionalValue() async throws {
        server.on("/empty", .status(204))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<User>.get("/empty"))
        }
        #expect(error.map(name(of:)) == "decoding")
        #expect(error?.httpStatus == 204)
    }

    @Test
    func undecodableContentFailsWithTypePlaceAndContent() async throws {
        server.on("/users", .json(#"[{"name": "Ada"}, {"nam": "Bob"}]"#))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<[User]>.get("/users"))
        }
        guard case .decoding(let failure, let response)? = error else { throw Surprise("\(error as Any)") }
        #expect(failure.type == "Array<User>")
        #expect(failure.codingPath == "1.name")
        #expect(response.text == #"[{"name": "Ada"}, {"nam": "Bob"}]"#)
        #expect(error?.request?.url.path == "/users")
    }

    @Test
    func lastAttemptsErrorIsThrownWithItsResponse() async throws {
        server.on("/user", .failure(NetworkFailure(.connectionLost)), times: 1)
            .on("/user", .status(500), times: 1).on("/user", .json(#"{"why": "busy"}"#, status: 503))
        let client = SimpleNetworking(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<User>.get("/user"))
        }
        #expect(error?.httpStatus == 503)
        #expect(error?.response?.attempt == 3)
        #expect(error?.response?.json?["why"] as? String == "busy")
    }

    @Test
    func configureIsCalledLastBeforeEachAttempt() async throws {
        server.on("/user", .status(503), times: 1).on("/user", .json(#"{"name": "Ada"}"#))
        let client = PreparingClient(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(0))
        }
        let response = try await client.send(Request<User>.get("/user", headers: ["X-By": "request"])) {
            $0.headers["X-By"] = ($0.headers["X-By"] ?? "") + ", configure"
        }
        #expect(response.attempt == 2)
        #expect(server.requests.map { $0.headers["X-By"] } == ["prepare, configure", "prepare, configure"])
        try await client.send(.get("/user")) { $0.timeout = 7 }
        #expect(server.requests.last?.timeout == 7)
        _ = try await client.data(for: Request<User>.get("/user")) { $0.method = .options }
        #expect(server.requests.last?.method == .options)
    }

    @Test
    func nothingIsSentWhenConfigureThrows() async throws {
        let client = SimpleNetworking(over: server) {
            $0.retryPolicy = RetryPolicy(attempts: 3, backoff: .constant(0))
        }
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(Request<User>.get("/user")) { _ in throw Surprise("no") }
        }
        guard case .failed(let own, let head, nil)? = error else { throw Surprise("\(error as Any)") }
        #expect(own is Surprise)
        #expect(head?.url.path == "/user")
        #expect(server.requests.isEmpty)
    }

    @Test
    func awaitedHandlerRequestsReturnAfterTheirHandlers() async throws {
        server.on("/user", .json(#"{"name": "Ada"}"#))
        let calls = Recorder<String>()
        let request = SimpleNetworking.get("/user").on(success: User.self) { calls.add($0.name) }
            .on(completion: { _ in calls.add("end") })
        let response: SimpleResponse = try await client.send(request)
        #expect(response.httpStatus == 200)
        #expect(calls.elements == ["Ada", "end"])
    }

    @Test
    func executeAddsHandlersToATypedRequest() async throws {
        server.on("/users", .json(#"[{"name": "Ada"}]"#))
        let calls = Recorder<String>()
        let users = Request<[User]>(path: "/users", id: "users/list")
        let request = client.execute(users) { $0.on(success: { (users: [User]) in calls.add(users[0].name) }) }
        await request.ended()
        #expect(calls.elements == ["Ada"])
        #expect(request.tags["id"] == "users/list")
    }

    @Test
    func retriesOfASubclassApplyToTypedRequests() async throws {
        server.on("/user", .status(401), times: 1).on("/auth", .json("{}")).on("/user", .json(#"{"name": "Ada"}"#))
        let client = RefreshingClient(over: server)
        let response = try await client.send(Request<User>.get("/user"))
        #expect(response.value.name == "Ada" && response.attempt == 2)
        #expect(server.log == ["GET /user", "GET /auth", "GET /user"])
    }

    @Test
    func cancellingBeforeSendSendsNothing() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.send(Request<User>.get("/user"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test
    func cancellingDuringSendThrowsCancellationError() async throws {
        let gate = Gate()
        server.on("/user", .json("{}").after(gate))
        let task = Task { try await client.send(Request<User>.get("/user")).value }
        await gate.arrivals(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

private final class PreparingClient: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-By"] = "prepare"
    }
}

private final class RefreshingClient: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if request.httpStatusHandlers[401] == nil {
            request.on(httpStatus: 401) { request, _ in
                self.get("/auth") { $0.on(success: { _ in request.retry() }) }
                return false
            }
        }
        super.execute(request: request)
    }
}
