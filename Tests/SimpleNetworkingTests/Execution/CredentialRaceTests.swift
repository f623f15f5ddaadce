import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// What a request notes about its credential, while another thread refreshes it.
@Suite
struct CredentialRaceTests {
    /// Otherwise the refusal of the old token would cause a second refresh.
    @Test
    func noRequestTakesAnOldTokenForARefreshedOne() async {
        let client = SimpleNetworking(host: "a.test") { $0.transport = StubTransport().on("*", .status(204)) }
        let isRefreshing = Locked(true)
        Thread.detachNewThread {
            for token in 1...3000 {
                client.headers["X-Token"] = "\(token)"
                client.sharedRefresh.recover(
                    from: .expiry(CredentialGeneration(number: token - 1)),
                    clock: client.clock,
                    limit: 30,
                    waiter: { _ in },
                    refresh: { $0() }
                )
            }
            isRefreshing.withLock { $0 = false }
        }
        // A thread of its own: Swift's may be as few as two.
        let wrong = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var wrong: [String] = []
                while isRefreshing.withLock({ $0 }) {
                    let request = client.get("/")
                    guard let execution = request.state.withLock({ $0.execution }) else { continue }
                    // Just before it is sent, it may get the credential of that moment, and then notes what is sent.
                    while request.trace.end == nil {}
                    let stamp = execution.state.withLock { $0.inherited.credential.generation.number }
                    let token = execution.lastHead?.headers["X-Token"].flatMap { Int($0) } ?? 0
                    if token < stamp { wrong.append("token \(token), stamp \(stamp)") }
                }
                continuation.resume(returning: wrong)
            }
        }
        #expect(wrong == [])
    }

    /// The next user signs in with an authenticator, while the retry policy waits to send a request of the last one.
    @Test(arguments: [true, false])
    func noPolicySendsARequestAgainWhoseUserIsGone(hadAuthenticator: Bool) async throws {
        let (server, clock) = (StubTransport().on("*", .status(503)), VirtualClock())
        let client = SimpleNetworking(host: "a.test") {
            $0.transport = server
            $0.clock = clock
            $0.logger = .quiet
            $0.retryPolicy = RetryPolicy(attempts: 2, backoff: .constant(5))
        }
        let former = BearerAuthenticator(token: Secret("one"))
        if hadAuthenticator {
            client.authenticate(with: former)
        } else {
            client.authenticate(with: "one", password: "")
        }
        let request = client.get("/account")
        await clock.alarms(1, for: .retry)
        former.token = nil
        client.signOut()
        client.headers["X-User"] = "two"
        client.authenticate(with: BearerAuthenticator(token: Secret("two")))
        clock.advance(by: 5)
        guard case .authentication? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(server.requests.count == 1)
    }

    /// The next user signs in with an authenticator of its own, while the last one's request is still under way.
    @Test
    func aRequestOfAFormerAuthenticatorEndsNoneThatWaitsForTheNext() async throws {
        let (mayRefuse, mayRefresh) = (Gate(), Gate())
        let server = StubTransport()
            .on("/old") { _ in
                try await mayRefuse.wait()
                return .status(401)
            }
            .on("/known", .status(204))
            .on("/new") { $0.headers["Authorization"] == "Bearer three" ? .text("welcome") : .status(401) }
        let client = SimpleNetworking(over: server) {
            $0.authenticator = BearerAuthenticator(token: Secret("one")) { _ in throw Surprise("one is refreshed") }
        }
        let old = client.get("/old")
        await mayRefuse.arrivals(1)
        client.authenticate(
            with: BearerAuthenticator(token: Secret("two")) { _ in
                try await mayRefresh.wait()
                return Secret("three")
            }
        )
        // The first one makes its user known.
        await client.get("/known").ended()
        let new = client.get("/new")
        await mayRefresh.arrivals(1)
        mayRefuse.open()
        guard case .authentication(let failure)? = await old.ended().error else { throw Surprise("\(old.trace)") }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        mayRefresh.open()
        #expect(await new.ended().value?.text == "welcome", "\(new.trace)")
    }

    /// The next user's stored token has expired.
    @Test
    func theFirstRequestOfTheNextUserIsRefreshedToo() async {
        let server = StubTransport()
            .on("/first", .status(204))
            .on("/next") { $0.headers["Authorization"] == "Bearer three" ? .text("welcome") : .status(401) }
        let bearer = BearerAuthenticator(token: Secret("one")) { _ in Secret("three") }
        let client = SimpleNetworking(over: server) { $0.authenticator = bearer }
        await client.get("/first").ended()
        bearer.token = Secret("two")
        let request = client.get("/next")
        #expect(await request.ended().value?.text == "welcome", "\(request.trace)")
    }

    @Test
    func noRequestOfOneUserIsSentAgainAsTheNext() async {
        let server = StubTransport().on("*", .status(401))
        let client = SimpleNetworking(over: server, host: "a.test") { $0.maxRetries = .max }
        let requests = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var requests: [SimpleRequest] = []
                for user in 1...150 {
                    client.authenticate(with: "user\(user)", password: "secret")
                    let request = client.get("/\(user)") {
                        $0.on(httpStatus: 401) { request, _ in
                            request.retry()
                            return false
                        }
                    }
                    // The next user comes while it is being retried.
                    while request.attempt < 3 {}
                    requests.append(request)
                }
                client.signOut()
                continuation.resume(returning: requests)
            }
        }
        for request in requests { await request.ended() }
        let users = server.requests.reduce(into: [String: Set<String?>]()) { users, request in
            users[request.url.path, default: []].insert(request.headers["Authorization"])
        }
        #expect(users.count == 150)
        #expect(users.filter { $0.value.count > 1 }.keys.sorted() == [])
    }
}
