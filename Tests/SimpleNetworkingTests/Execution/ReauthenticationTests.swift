import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// The simplest client with a refresh: it handles neither refusals of `/auth` nor concurrent requests.
final class NaiveClient: SimpleNetworking, @unchecked Sendable {
    var token: String? { didSet { headers["X-Authorization"] = token } }

    func authenticate(_ callback: @escaping () -> Void) {
        get("/auth") { request in
            request.on(success: { [weak self] response in
                guard let self else { return }
                token = response.json?["token"] as? String
                callback()
            })
        }
    }

    override func execute(request: SimpleRequest) {
        if request.httpStatusHandlers[401] == nil {
            request.on(
                httpStatus: 401,
                { request, _ in
                    self.authenticate { request.retry() }
                    return false
                }
            )
        }
        super.execute(request: request)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ReauthenticationTests {
    @Test
    func refusedRequestIsRetriedWithTheNewToken() async throws {
        let server = StubTransport()
            .on("/auth", .json(#"{"token": "t"}"#))
            .on("/x") { $0.headers["X-Authorization"] == "t" ? .json("{}") : .status(401) }
        let client = NaiveClient(over: server)
        let request = client.get("/x")
        #expect(await request.ended().value?.attempt == 2)
        #expect(server.log == ["GET /x", "GET /auth", "GET /x"])
        try expectOrder(of: request, [.status(401), .retry, .completion])
    }

    @Test(arguments: [0, 1, 3])
    func refusedRefreshRequestIsSentNoMoreOftenThanRetriesAllow(retries: Int) async throws {
        let server = StubTransport().on("*", .status(401))
        let client = NaiveClient(over: server) { $0.maxRetries = retries }
        let requests = (0..<20).map { client.get("/x\($0)") }
        for request in requests {
            let error = await request.ended().error
            #expect(error?.httpStatus == 401, "\(request.trace)")
        }
        #expect(server.requests(to: "/auth").count <= 20 * (retries + 1))
        #expect(server.requests.count <= 20 * (retries + 2))
    }

    @Test
    func requestThatNaiveSignInAbandonsTellsTheErrorOfTheSignIn() async throws {
        let server = StubTransport().on("/auth", .failure(NetworkFailure(.cannotConnect))).on("/x", .status(401))
        let error = await NaiveClient(over: server).get("/x").ended().error
        guard case .abandoned(_, let response, .networkingError(let failure, let head))? = error else {
            throw "\(String(describing: error))".asError
        }
        #expect(response?.httpStatus == 401)
        #expect(failure.kind == .cannotConnect)
        #expect(head.url.path == "/auth")
        let inner = SimpleNetworkingError.networkingError(failure, head)
        #expect(try #require(error).description.hasSuffix("A request that the handler made failed: \(inner)"))
    }

    @Test
    func requestThatWaitsForARecursiveSignInTellsWhyNoMoreWasSent() async throws {
        let client = NaiveClient(over: StubTransport().on("*", .status(401)))
        let text = try #require(await client.get("/x").ended().error).description
        #expect(text.hasPrefix("GET https://api.example.com/x was abandoned after status 401"))
        #expect(text.contains("A request that the handler made failed: GET https://api.example.com/auth was not sent"))
    }

    @Test
    func refreshedTokenThatIsRefusedEndsWithTheServersResponse() async throws {
        let server = StubTransport()
            .on("/auth", .json(#"{"token": "t"}"#))
            .on("/x", .json(#"{"why": "suspended"}"#, status: 401))
        let error = await NaiveClient(over: server).get("/x").ended().error
        #expect(error?.response?.json?["why"] as? String == "suspended")
        #expect(server.requests(to: "/x").count == 4)
        #expect(server.requests(to: "/auth").count == 4)
    }

    @Test
    func refreshWithTwoRequestsIsNotTakenForALoop() async throws {
        let server = StubTransport()
            .on("/challenge", .json("{}"))
            .on("/auth", .json(#"{"token": "t"}"#))
            .on("/x") { $0.headers["X-Authorization"] == "t" ? .json("{}") : .status(401) }
        let client = SimpleNetworking(over: server)
        client.maxRetries = 1
        let request = client.get("/x") {
            $0.on(
                httpStatus: 401,
                { request, _ in
                    client.get("/challenge") {
                        $0.on(success: { _ in
                            client.get("/challenge") {
                                $0.on(success: { _ in
                                    client.get("/auth") {
                                        $0.on(success: { response in
                                            client.headers["X-Authorization"] = response.json?["token"] as? String
                                            request.retry()
                                        })
                                    }
                                })
                            }
                        })
                    }
                    return false
                }
            )
        }
        #expect(await request.ended().value?.httpStatus == 200)
    }

    @Test
    func requestsMadeBySuccessHandlersHaveNoBudget() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let client = SimpleNetworking(over: server)
        let isDone = Gate()
        @Sendable
        func page(_ number: Int) {
            client.get("/page/\(number)") {
                $0.on(isolation: nil, success: { _ in number < 50 ? page(number + 1) : isDone.open() })
                    .on(isolation: nil, error: { Issue.record($0) })
            }
        }
        page(1)
        try await isDone.wait()
        #expect(server.requests.count == 50)
    }

    @Test
    func awaitedRequestInATaskOfAStatusHandlerSharesItsRetryBudget() async throws {
        final class Awaiting: SimpleNetworking, @unchecked Sendable {
            override func execute(request: SimpleRequest) {
                if request.httpStatusHandlers[401] == nil {
                    request.on(
                        httpStatus: 401,
                        { request, _ in
                            Task {
                                do {
                                    _ = try await self.send(SimpleNetworking.get("/auth"))
                                    request.retry()
                                } catch {
                                    request.fail(error)
                                }
                            }
                            return false
                        }
                    )
                }
                super.execute(request: request)
            }
        }
        let server = StubTransport().on("*", .status(401))
        let client = Awaiting(over: server)
        let error = await client.get("/x").ended().error
        guard case .recursion(limit: 4, let head)? = error else { throw "\(String(describing: error))".asError }
        #expect(head.url.path == "/auth")
        #expect(server.requests.count == 5)
    }

    @Test
    func aTaskThatOutlivesItsStatusHandlersRequestMaySendManyRequests() async throws {
        let gate = Gate()
        let server = StubTransport().on("/job", .status(202)).on("/poll", .json("{}"))
        let client = SimpleNetworking(over: server) { $0.maxRetries = 1 }
        let results = Recorder<String>()
        let request = client.get("/job") {
            $0.on(httpStatus: 202) { _, _ in
                Task {
                    try await gate.wait()
                    for _ in 0..<8 { results.add("\(try await client.send(SimpleNetworking.get("/poll")).httpStatus)") }
                }
                return true
            }
        }
        await request.ended()
        gate.open()
        try await eventually { results.elements.count == 8 }
        #expect(results.elements.allSatisfy { $0 == "200" })
    }

    @Test
    func errorOfASignInThatHoldsTheRequestDoesNotKeepItWaiting() async throws {
        struct Pending: Error { let request: SimpleRequest }
        // A stub would keep its requests, and with them what they ended with.
        struct Refusing: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                TransportResponse(httpStatus: request.url.path == "/x" ? 401 : 500)
            }
        }
        let client = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (Refusing(), .quiet) }
        let request = client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                client.get("/token") {
                    $0.on(httpStatus: 500) { token, _ in
                        token.fail(Pending(request: request))
                        return false
                    }
                }
                return false
            }
        }
        guard case .abandoned(_, _, let cause?)? = await request.ended().error else {
            Issue.record("It ended otherwise.")
            return
        }
        #expect("\(cause)".contains("Pending"))
    }

    /// Each handler starts the next request in a task, and lets its own request end.
    @Test
    func tasksOfStatusHandlersDoNotStartEachOtherForever() async throws {
        final class Reporting: SimpleNetworking, @unchecked Sendable {
            let ends = Recorder<String>()

            override func execute(request: SimpleRequest) {
                let ended = Gate()
                request.on(httpStatus: 500) { [weak self] _, _ in
                    Task {
                        try await ended.wait()
                        self?.post("/report")
                    }
                    return true
                }
                .on(completion: { [ends] outcome in
                    if case .recursion? = outcome.error { ends.add("recursion") }
                    ended.open()
                })
                super.execute(request: request)
            }
        }
        let server = StubTransport().on("*", .status(500))
        let client = Reporting(over: server)
        client.get("/x")
        try await eventually { client.ends.elements.count == 1 }
        #expect(server.requests.count < 10)
    }
}
