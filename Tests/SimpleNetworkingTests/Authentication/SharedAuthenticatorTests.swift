import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// One authenticator for several clients, as for an API with several hosts.
@Suite(.timeLimit(.minutes(5)))
struct SharedAuthenticatorTests {
    private let server = StubTransport()
        .on("*", where: [.header("Authorization", "Bearer new")], .json("{}"))
        .on("*", .status(401))

    private func clients(_ authenticator: some Authenticator, count: Int = 3) -> [SimpleNetworking] {
        (0..<count).map { number in
            SimpleNetworking(host: "host\(number).example.com") {
                $0.transport = server
                $0.clock = VirtualClock()
                $0.authenticator = authenticator
                $0.logger = .silent
            }
        }
    }

    /// Servers that rotate refresh tokens end the session otherwise.
    @Test(arguments: [1, 20])
    func theTokenIsRefreshedOnceForAllClients(requestsOfEach: Int) async throws {
        let gate = Gate()
        let refused = Recorder<Secret>()
        let bearer = BearerAuthenticator(token: Secret("old")) { token in
            refused.add(token)
            try await gate.wait()
            return Secret("new")
        }
        let clients = clients(bearer)
        let requests = clients.flatMap { client in (0..<requestsOfEach).map { _ in client.get("/x") } }
        await gate.arrivals(1)
        // Those that come later wait for their client's refresh, and aren't sent before.
        try await eventually { Set(server.requests.map(\.url.host)).count == clients.count }
        gate.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(refused.elements == [Secret("old")])
    }

    @Test
    func afterAFailureAnotherClientTriesAgain() async throws {
        let refused = Recorder<Secret>()
        let bearer = BearerAuthenticator(token: Secret("old")) { token in
            refused.add(token)
            if refused.elements.count == 1 { throw NetworkFailure(.offline) }
            return Secret("new")
        }
        let clients = clients(bearer, count: 2)
        #expect(await clients[0].get("/x").ended().error != nil)
        #expect(await clients[1].get("/x").ended().value != nil)
        #expect(refused.elements.count == 2)
    }

    /// A refresh that sends its own request over another client with the same authenticator must not wait for itself.
    @Test
    func aRefreshOverAnotherClientDoesNotWaitForItself() async throws {
        let other = Locked<SimpleNetworking?>(nil)
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            let client = other.withLock { $0 }
            _ = await client?.get("/token").ended()
            return Secret("new")
        }
        let clients = clients(bearer, count: 2)
        other.exchange(clients[1])
        #expect(await clients[0].get("/x").ended().value != nil)
    }

    @Test
    func aRefreshThatHangsHoldsUpOthersNoLongerThanItsTimeout() async throws {
        let hangs = Gate()
        let clock = VirtualClock()
        let calls = Recorder<Int>()
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in
            calls.add(1)
            if calls.elements.count == 1 { try? await hangs.wait() }
            return Secret("new")
        }
        let clients = (0..<2).map { _ in
            SimpleNetworking(over: server, clock: clock) {
                $0.authenticator = bearer
                $0.refreshTimeout = 30
            }
        }
        let first = clients[0].get("/x") { $0.deadline(1000) }
        await hangs.arrivals(1)
        let second = clients[1].get("/x")
        try await eventually { server.requests.count == 2 }
        clock.advance(by: 30)
        #expect(await first.ended().error != nil)
        #expect(await second.ended().value != nil)
        #expect(await clients[1].get("/x").ended().value != nil)
        hangs.open()
    }

    @Test
    func aRefreshThatHangsElsewhereHoldsUpARefusedRequestNoLongerThanItsTimeout() async throws {
        let busy = BusyAuthenticator()
        let clock = VirtualClock()
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = busy
            $0.refreshTimeout = 30
        }
        let request = client.get("/x")
        await busy.gate.arrivals(1)
        clock.advance(by: 29.9)
        #expect(busy.refreshed.elements == [])
        clock.advance(by: 0.1)
        #expect(await request.ended().value != nil)
        #expect(busy.refreshed.elements == ["old"])
        busy.gate.open()
    }

    @Test
    func aTokenThatHasExpiredIsRefreshedBeforeItIsSent() async throws {
        let bearer = BearerAuthenticator(
            token: Secret("old"),
            refresh: { _ in Secret("new") },
            isExpired: { $0 == Secret("old") }
        )
        #expect(await clients(bearer)[0].get("/x").ended().value != nil)
        #expect(server.requests.count == 1)
    }

    @Test
    func anUnauthenticatedRequestIsNeitherSignedNorRefreshed() async throws {
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        let client = clients(bearer)[0]
        #expect(await client.get("/x") { $0.unauthenticated() }.ended().error?.httpStatus == 401)
        #expect(server.requests.map { $0.headers["Authorization"] } == [nil])
        #expect(bearer.token == Secret("old"))
    }

    /// It read the token before another client's refresh, and came to its own after that.
    @Test
    func aClientThatReadTheTokenEarlyDoesNotRefreshItAgain() async throws {
        let reader = LateReader()
        let clients = clients(reader, count: 2)
        let late = clients[0].get("/x")
        await reader.gate.arrivals(1)
        #expect(await clients[1].get("/x").ended().value != nil)
        reader.gate.open()
        #expect(await late.ended().value != nil)
        #expect(reader.refreshed.elements == ["old"])
    }
}

/// Signs with a token that it keeps as plain text.
private protocol PlainAuthenticator: Authenticator where Credential == String {
    var token: Locked<String> { get }
    var refreshed: Recorder<String> { get }
}

extension PlainAuthenticator {
    func credential() async throws -> String? { token.withLock { $0 } }

    func sign(_ request: inout TransportRequest, with credential: String) {
        request.headers["Authorization"] = "Bearer " + credential
    }

    func refresh(_ credential: String) async throws -> String {
        refreshed.add(credential)
        token.exchange("new")
        return "new"
    }
}

/// Keeps its first reader waiting after it has read the token.
private final class LateReader: PlainAuthenticator {
    let gate = Gate()
    let refreshed = Recorder<String>()
    let token = Locked("old")
    private let reads = Locked(0)

    func credential() async throws -> String? {
        let read = token.withLock { $0 }
        if reads.next() == 1 { try await gate.wait() }
        return read
    }

    func isExpired(_ credential: String) -> Bool { credential == "old" }
}

/// Is refreshing, as an `OAuthSession` whose store another program holds, until the gate opens.
private final class BusyAuthenticator: PlainAuthenticator, SharedAuthenticator {
    let gate = Gate()
    let refreshed = Recorder<String>()
    let token = Locked("old")

    func waitForRefresh() async { try? await gate.wait() }
}
