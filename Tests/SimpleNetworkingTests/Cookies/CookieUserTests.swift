import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// The next user signs in by cookie, while a request of the former user waits.
@Suite(.timeLimit(.minutes(5)))
struct CookieUserTests {
    private let jar = CookieJar()
    private let clock = VirtualClock()
    private let server = StubTransport()
        .on("/login/alice", .status(200, headers: ["Set-Cookie": "session=ALICE; Path=/"]))
        .on("/login/bob", .status(200, headers: ["Set-Cookie": "session=BOB; Path=/"]))
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock) { [jar] in $0.cookieJar = jar }
    }

    private func changeUser() async {
        jar.removeAll()
        await client.get("/login/bob").ended()
    }

    private func expectSignedOut(_ request: SimpleRequest) async throws {
        guard case .authentication(let failure)? = await request.ended().error else { throw Surprise("sent") }
        #expect(failure.underlying is RefreshFailure)
        #expect(server.requests.filter { $0.url.path == "/transfer" }.map { $0.headers["Cookie"] } == ["session=ALICE"])
    }

    @Test(arguments: [true, false])
    func aRetryIsNotSentForTheNextUser(byPolicy: Bool) async throws {
        server.on("/transfer", .status(503))
        await client.get("/login/alice").ended()
        let request = client.put("/transfer") { $0.retriedLater(byPolicy: byPolicy) }
        await clock.alarms(1, for: .retry)
        await changeUser()
        clock.advance(by: 10)
        try await expectSignedOut(request)
    }

    @Test
    func aRedirectIsFollowedWithoutTheNextUsersCookies() async throws {
        let gate = Gate()
        server.on("/transfer", .redirect(to: "/x", status: 307).after(gate)).on("/x", .status(200))
        await client.get("/login/alice").ended()
        let request = client.put("/transfer")
        await gate.arrivals(1)
        await changeUser()
        gate.open()
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.last?.url.path == "/x" && server.requests.last?.headers["Cookie"] == nil)
    }

    @Test
    func aRequestSuspendedBeforeItWasSentIsNotSentForTheNextUser() async throws {
        await client.get("/login/alice").ended()
        let request = SimpleNetworking.get("/suspended")
        request.suspend()
        request.execute(on: client)
        await changeUser()
        request.resume()
        #expect(await request.ended().error != nil)
        #expect(!server.log.contains("GET /suspended"))
    }

    @Test
    func theNextPageIsNotRequestedForTheNextUser() async throws {
        let list = ListServer(way: .links, count: 25, size: 10)
        server.on("*") { list.page(for: $0) }
        await client.get("/login/alice").ended()
        let pages = client.pages(
            of: ListServer.Item.self,
            at: "results",
            for: SimpleNetworking.get("/items"),
            style: list.style
        )
        await #expect(throws: SimpleNetworkingError.self) { for try await _ in pages { await changeUser() } }
        #expect(server.requests.filter { $0.url.path == "/items" }.count == 1)
    }

    /// The same user signs in anew, without the former session's cookies.
    @Test
    func aRefreshMayReplaceAllCookies() async throws {
        server.on("/account", .status(401), times: 1).on("/account", .json("{}"))
        let request = client.get("/account") { [client, jar] in
            $0.takenOver(at: 401) { request in
                client.reauthenticate(request) {
                    jar.removeAll()
                    try await client.send(SimpleNetworking.get("/login/alice"))
                }
            }
        }
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.last?.headers["Cookie"] == "session=ALICE")
    }

    @Test
    func aTaskThatARefreshStartedChangesTheUserAfterIt() async throws {
        let (later, isDone) = (Gate(), Gate())
        server.on("/account", .status(401), times: 1).on("/account", .json("{}")).on("/transfer", .status(503))
        await client.get("/login/alice").ended()
        let request = client.get("/account") { [client, jar] in
            $0.takenOver(at: 401) { request in
                client.reauthenticate(request) {
                    Task {
                        try await later.wait()
                        jar.removeAll()
                        await client.get("/login/bob").ended()
                        isDone.open()
                    }
                }
            }
        }
        #expect(await request.ended().value != nil)
        let transfer = client.put("/transfer") { $0.retriedLater(byPolicy: true) }
        await clock.alarms(1, for: .retry)
        later.open()
        try await isDone.wait()
        clock.advance(by: 10)
        try await expectSignedOut(transfer)
    }

    @Test
    func aRefreshThatRemovesAllCookiesAndFailsEndsTheUser() async throws {
        server.on("/account", .status(401)).on("/transfer", .status(503))
        await client.get("/login/alice").ended()
        let transfer = client.put("/transfer") { $0.retriedLater(byPolicy: true) }
        await clock.alarms(1, for: .retry)
        let request = client.get("/account") { [client, jar] in
            $0.takenOver(at: 401) { request in
                client.reauthenticate(request) {
                    jar.removeAll()
                    throw Surprise("signed out")
                }
            }
        }
        #expect(await request.ended().error != nil)
        await client.get("/login/bob").ended()
        clock.advance(by: 10)
        try await expectSignedOut(transfer)
    }

    @Test
    func aRefreshAfterAChangeOfUserSendsNothingForTheNextUser() async throws {
        let gate = Gate()
        server.on("/transfer", .status(401).after(gate))
        await client.get("/login/alice").ended()
        let request = client.put("/transfer") { [client] in
            $0.takenOver(at: 401) { client.reauthenticate($0) {} }
        }
        await gate.arrivals(1)
        await changeUser()
        gate.open()
        try await expectSignedOut(request)
    }

    @Test
    func anAuthenticatorsRefreshMayReplaceAllCookies() async throws {
        server.on("/account", .status(401), times: 1).on("/account", .json("{}"))
        let bearer = BearerAuthenticator(token: Secret("old")) { [client, jar] _ in
            jar.removeAll()
            try await client.send(SimpleNetworking.get("/login/alice"))
            return Secret("new")
        }
        client.authenticate(with: bearer)
        #expect(await client.get("/account").ended().value?.httpStatus == 200)
        #expect(server.requests.last?.headers["Cookie"] == "session=ALICE")
    }

    @Test
    func aSignInByCookieBetweenTwoAttemptsOfOneUserIsSent() async throws {
        server.on("/account", .status(401), times: 1).on("/account", .json("{}"))
        let request = client.get("/account") { [client] in
            $0.takenOver(at: 401) { request in
                client.get("/login/alice") { $0.on(success: { _ in request.retry() }) }
            }
        }
        #expect(await request.ended().value?.httpStatus == 200)
        #expect(server.requests.last?.headers["Cookie"] == "session=ALICE")
    }

    @Test(arguments: [true, false])
    func anUnauthenticatedRequestIsNotSentAgainWithTheNextUsersFields(byPolicy: Bool) async throws {
        server.on("/transfer", .status(503))
        let bearer = BearerAuthenticator(token: Secret("alice"))
        client.authenticate(with: bearer)
        client.headers["X-Session"] = "alice"
        let request = client.put("/transfer") { $0.unauthenticated().retriedLater(byPolicy: byPolicy) }
        await clock.alarms(1, for: .retry)
        bearer.token = nil
        client.signOut()
        client.headers["X-Session"] = "bob"
        clock.advance(by: 10)
        #expect(await request.ended().error != nil)
        #expect(server.requests.map { $0.headers["X-Session"] } == ["alice"])
    }
}

extension SimpleRequest {
    /// Adds a handler that takes the request over.
    fileprivate func takenOver(at status: Int, _ work: @escaping @Sendable (SimpleRequest) -> Void) -> SimpleRequest {
        on(
            httpStatus: status,
            { request, _ in
                work(request)
                return false
            }
        )
    }

    /// Has a request that is refused with status 503 sent again after 10 seconds, by its policy or by a handler.
    fileprivate func retriedLater(byPolicy: Bool) -> SimpleRequest {
        if byPolicy { return retry(RetryPolicy(attempts: 3, backoff: .constant(10))) }
        return takenOver(at: 503) { $0.retry(after: 10) }
    }
}
