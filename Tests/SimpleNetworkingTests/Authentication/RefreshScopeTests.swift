import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What belongs to a refresh, to its client and to its user, and what does not.
@Suite(.timeLimit(.minutes(5)))
struct RefreshScopeTests {
    private let server = StubTransport()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    // MARK: The refresh

    @Test
    func anotherClientThatARefreshUsesIsSigned() async throws {
        server.on("/x") { $0.headers["Authorization"] == "Bearer t1" ? .json("{}") : .status(401) }
        let issuer = StubTransport().on("/token") { $0.headers["Authorization"] == nil ? .status(401) : .text("t1") }
        let basic = BasicAuthenticator(user: "client", password: "secret")
        let auth = SimpleNetworking(over: issuer, host: "auth.example.com") {
            $0.authenticator = basic
        }
        let api = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("t0")) { _ in
                Secret(try await auth.send(SimpleNetworking.post("/token")).text ?? "")
            }
        }
        #expect(await api.get("/x").ended().value != nil)
    }

    @Test
    func twoClientsWhoseRefreshesUseEachOtherDoNotWaitForThemselves() async throws {
        server.on("/x") { $0.headers["Authorization"] == "Bearer t1" ? .json("{}") : .status(401) }
            .on("/token", .text("t1"))
        let (one, other) = (client, SimpleNetworking(over: server, host: "b.example.com"))
        func refresh(from path: String, on client: SimpleNetworking) -> BearerAuthenticator {
            BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                _ = try await client?.send(SimpleNetworking.get(path))
                return Secret("t1")
            }
        }
        one.authenticate(with: refresh(from: "/x", on: other))
        other.authenticate(with: refresh(from: "/token", on: one))
        #expect(await one.get("/x").ended().value != nil)
        #expect(server.requests(to: "/token").map { $0.headers["Authorization"] } == [nil])
    }

    @Test(arguments: [true, false])
    func whatAHandlerOfARepeatedRequestSendsIsRefreshed(isAsync: Bool) async throws {
        let tokens = Locked(0)
        server.on("/a") { $0.headers["X-Token"] == "t1" ? .json("{}") : .status(401) }
            .on("/b") { $0.headers["X-Token"] == "t2" ? .json("{}") : .status(401) }
        let ends = Recorder<String>()
        let renew = { @Sendable in
            let number = tokens.withLock { tokens in
                tokens += 1
                return tokens
            }
            client.headers["X-Token"] = "t\(number)"
        }
        @Sendable
        func load(_ path: String, then next: String?) {
            client.get(path) {
                $0.on(httpStatus: 401) { request, _ in
                    if isAsync {
                        client.reauthenticate(request, refreshing: { renew() })
                    } else {
                        client.reauthenticate(request) { done in
                            renew()
                            done()
                        }
                    }
                    return false
                }
                .on(completion: { outcome in
                    ends.add("\(path) \(outcome.value?.httpStatus ?? 0)")
                    if let next { load(next, then: nil) }
                })
            }
        }
        load("/a", then: "/b")
        try await eventually { ends.elements.count == 2 }
        #expect(ends.elements == ["/a 200", "/b 200"])
    }

    @Test
    func aTaskThatARefreshStartedIsSignedAfterIt() async throws {
        server.on("*") { $0.headers["Authorization"] == "Bearer t1" ? .json("{}") : .status(401) }
        let gate = Gate()
        let statuses = Recorder<Int?>()
        client.authenticate(
            with: BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                Task {
                    try await gate.wait()
                    statuses.add(try? await client?.send(SimpleNetworking.get("/poll")).httpStatus)
                }
                return Secret("t1")
            }
        )
        _ = try await client.send(SimpleNetworking.get("/x"))
        gate.open()
        try await eventually { statuses.elements.count == 1 }
        #expect(statuses.elements == [200])
    }

    @Test
    func aScopeIsRunningUntilTheLastOfItsRefreshesHasEnded() {
        let (one, other) = (RunningRefresh(of: client.state.identity), RunningRefresh(of: client.state.identity))
        let scope = RefreshScope().adding(one).adding(other)
        #expect(!RefreshScope().isRunning && scope.isRunning)
        one.end(nil)
        #expect(scope.isRunning && scope.isRunning(of: client.state.identity))
        #expect(!scope.isRunning(of: SimpleNetworking(over: server).state.identity))
        other.end(Surprise("failed"))
        #expect(!scope.isRunning && !scope.isRunning(of: client.state.identity))
    }

    /// Only what a refresh itself sends goes before all others.
    @Test
    func whatATaskOfAnEndedRefreshSendsWaitsForItsTurn() async throws {
        let (later, held) = (Gate(), Gate())
        server.on("/held", .json("{}").after(held))
            .on("*") { $0.headers["Authorization"] == "Bearer t1" ? .json("{}") : .status(401) }
        let client = SimpleNetworking(over: server) { $0.traffic.inFlight = 1 }
        let poll = Locked<SimpleRequest?>(nil)
        client.authenticate(
            with: BearerAuthenticator(token: Secret("t0")) { [weak client] _ in
                Task {
                    try await later.wait()
                    poll.exchange(client?.get("/poll"))
                }
                return Secret("t1")
            }
        )
        _ = try await client.send(SimpleNetworking.get("/x"))
        let first = client.get("/held")
        await held.arrivals(1)
        later.open()
        try await eventually { poll.withLock { $0?.trace.description.contains("waits for its turn") } == true }
        held.open()
        await first.ended()
        #expect(await poll.withLock { $0 }?.ended().value != nil)
    }

    // MARK: The client

    @Test
    func aRequestMovesToAClientWithOtherAccounts() async {
        let other = SimpleNetworking(over: StubTransport().on("*", .json("{}")), host: "b.example.com")
        other.authenticate(with: "one", password: "p")
        other.authenticate(with: "two", password: "p")
        server.on("*", .status(503))
        let request = client.get("/x") {
            $0.on(httpStatus: 503) { request, _ in
                request.retry(on: other)
                return false
            }
        }
        #expect(await request.ended().value != nil)
    }

    @Test
    func aRequestThatMovesToAnotherClientIsRefreshedThere() async {
        server.on("*", .status(401))
        let token = Locked(0)
        let there = StubTransport().on("*") { $0.headers["X-Token"] == "t2" ? .json("{}") : .status(401) }
        let (here, other) = (client, SimpleNetworking(over: there, host: "b.example.com"))
        func refresh() {
            let number = token.withLock { token in
                token += 1
                return token
            }
            other.headers["X-Token"] = "t\(number)"
        }
        // Both clients have been refreshed once, so that their credentials have the same numbers.
        await other.get("/first") {
            $0.on(httpStatus: 401) { request, _ in
                other.reauthenticate(request) { done in
                    refresh()
                    done()
                }
                return false
            }
        }
        .ended()
        let request = here.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                switch request.attempt {
                case 1: here.reauthenticate(request) { $0() }
                case 2: request.retry(on: other)
                default:
                    other.reauthenticate(request) { done in
                        refresh()
                        done()
                    }
                }
                return false
            }
        }
        #expect(await request.ended().value != nil)
    }

    // MARK: The user

    private struct Signer: Authenticator {
        let user: Locked<String>
        let first: Locked<Gate?>
        let refresh: Gate

        func credential() async throws -> String? {
            let user = user.withLock { $0 }
            if let gate = first.withLock({ $0.take() }) { try await gate.wait() }
            return user
        }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = credential
        }
        func identity(of credential: String) -> String { String(credential.prefix(1)) }
        func refresh(_ credential: String) async throws -> String {
            try await refresh.wait()
            return user.withLock { user in
                user += "+"
                return user
            }
        }
    }

    @Test
    func aLateCredentialOfAFormerUserEndsNoRequestOfTheNext() async throws {
        server.on("/new") { $0.headers["Authorization"] == "B+" ? .json("{}") : .status(401) }.on("/old", .json("{}"))
        let (late, refresh) = (Gate(), Gate())
        let signer = Signer(user: Locked("A"), first: Locked(late), refresh: refresh)
        let client = SimpleNetworking(over: server) { $0.authenticator = signer }
        let old = client.get("/old")
        await late.arrivals(1)
        signer.user.withLock { $0 = "B" }
        let new = client.get("/new")
        await refresh.arrivals(1)
        late.open()
        #expect(await old.ended().error != nil)
        refresh.open()
        #expect(await new.ended().value != nil)
        #expect(server.requests(to: "/old").isEmpty)
    }

    @Test
    func aKeptRequestIsNotSentWithAnotherBearerAuthenticator() async throws {
        server.on("*", .status(401))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("a"))
        }
        let kept = Locked<SimpleRequest?>(nil)
        let request = client.post("/transfer") {
            $0.on(httpStatus: 401) { request, _ in
                kept.withLock { $0 = request }
                return false
            }
        }
        try await eventually { request.isTakenOver }
        client.authenticate(with: BearerAuthenticator(token: Secret("b")))
        kept.withLock { $0.take() }?.retry()
        #expect(await request.ended().error != nil)
        #expect(server.requests.count == 1)
    }

    @Test
    func pagesAreNotRequestedAsTheNextUser() async throws {
        let list = ListServer(way: .links, count: 25, size: 10)
        server.on("*") { list.page(for: $0) }
        client.authenticate(with: "A", password: "a")
        let pages = client.pages(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: list.style
        )
        var numbers: [Int] = []
        await #expect(throws: SimpleNetworkingError.self) {
            for try await page in pages {
                numbers.append(page.number)
                client.authenticate(with: "B", password: "b")
            }
        }
        #expect(numbers == [1] && server.requests.count == 1)
    }
}
