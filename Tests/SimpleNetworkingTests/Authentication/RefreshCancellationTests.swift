import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct RefreshCancellationTests {
    enum Whom: CaseIterable { case leader, waiter, all }

    @Test(arguments: RefreshWay.allCases, Whom.allCases)
    func cancellingOneWaitingRequestKeepsTheOthersAndTheNewToken(way: RefreshWay, whom: Whom) async throws {
        let requested = Gate()
        let server = TokenServer(refresh: {
            try await requested.wait(); return nil
        })
        let client = way.client(server)
        let leader = client.get("/leader")
        try await withinSeconds(120) { await requested.arrivals(1) }
        let waiters = (0..<10).map { client.get("/waiter\($0)") }
        // With an authenticator, those that come later wait before they are sent at all.
        if way == .handlers {
            try await eventually { waiters.allSatisfy { $0.trace.events.contains { $0.isRefresh } } }
        }
        let (cancelled, others): ([SimpleRequest], [SimpleRequest]) =
            switch whom {
            case .leader: ([leader], waiters)
            case .waiter: ([waiters[3]], [leader] + waiters[..<3] + waiters[4...])
            case .all: ([leader] + waiters, [])
            }
        for request in cancelled { request.cancel() }
        for request in cancelled { #expect(await request.ended().error?.isCancellation == true) }
        requested.open()
        for request in others { #expect(await request.ended().value?.text == "welcome", "\(request.trace)") }
        try await eventually { client.holdsNewToken }
        #expect(await client.get("/later").ended().value?.attempt == 1)
        #expect(server.count("/auth") == 1)
    }

    @Test(arguments: RefreshWay.allCases)
    func signedOutUsersRequestsAreNotSentForTheNextUser(way: RefreshWay) async throws {
        let requested = Gate()
        let server = TokenServer(refresh: {
            try await requested.wait(); return nil
        })
        let client = way.client(server)
        let requests = (0..<10).map { client.get("/x\($0)") }
        try await withinSeconds(120) { await requested.arrivals(1) }
        try await eventually { requests.allSatisfy { $0.trace.events.contains { $0.isRefresh } } }
        client.switchAccount(to: "t1")
        requested.open()
        for request in requests {
            guard case .authentication(let failure)? = await request.ended().error else {
                Issue.record("\(request.trace)")
                continue
            }
            #expect(failure.underlying as? RefreshFailure == .signedOut)
        }
        // With an authenticator, those that come while the refresh runs are not sent at all.
        #expect(server.log.filter { $0 != "/auth" }.count <= 10)
        #expect(await client.get("/next").ended().value?.text == "welcome")
    }

    @Test
    func aRetryThatWaitsIsNotSentForTheNextAccount() async throws {
        let clock = VirtualClock()
        let server = StubTransport().on("/x", .status(503))
        let client = SimpleNetworking(over: server, clock: clock)
        client.authenticate(with: "alice", password: "1")
        let policy = RetryPolicy(attempts: 3, backoff: .constant(10))
        let (byPolicy, byHandler) = (
            client.get("/x") { $0.retry(policy) },
            client.get("/x") {
                $0.on(
                    httpStatus: 503,
                    { request, _ in
                        request.retry(after: 10)
                        return false
                    }
                )
            }
        )
        try await eventually { clock.alarms.filter { $0 >= 9 && $0 <= 11 }.count == 2 }
        client.authenticate(with: "bob", password: "2")
        clock.advance(by: 11)
        for request in [byPolicy, byHandler] {
            guard case .authentication(let failure)? = await request.ended().error else {
                Issue.record("\(request.trace)")
                continue
            }
            #expect(failure.underlying as? RefreshFailure == .signedOut)
        }
        #expect(server.requests.count == 2)
    }
}

extension SimpleNetworking {
    fileprivate var holdsNewToken: Bool {
        if let bearer = configuration.authenticator as? BearerAuthenticator { return bearer.token == Secret("t1") }
        return headers["Authorization"] == "Bearer t1"
    }

    fileprivate func switchAccount(to token: String) {
        if let bearer = configuration.authenticator as? BearerAuthenticator {
            bearer.token = nil
            bearer.token = Secret(token)
        } else {
            signOut()
            headers["Authorization"] = "Bearer \(token)"
        }
    }
}
