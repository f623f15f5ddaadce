import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Refreshes that are still running when nobody waits for them any more.
@Suite(.timeLimit(.minutes(5)))
struct FormerRefreshTests {
    private let hang = Gate()
    private let clock = VirtualClock()

    /// Accepts tokens that end with this digit.
    private func server(accepting suffix: String) -> StubTransport {
        StubTransport().on("*") { request in
            request.headers["Authorization"]?.hasSuffix(suffix) == true ? .json("{}") : .status(401)
        }
    }

    @Test(arguments: [false, true])
    func theNextUsersRefreshDoesNotWaitForThatOfTheFormerUser(isOtherClient: Bool) async throws {
        let bearer = BearerAuthenticator(token: Secret("ada")) { [hang] token in
            if token.reveal() == "ada" { try await hang.wait() }
            return Secret(token.reveal() + "2")
        }
        let server = server(accepting: "2")
        let clients = (0..<2).map { _ in
            SimpleNetworking(over: server, clock: clock) { $0.authenticator = bearer }
        }
        let former = clients[0].get("/a")
        await hang.arrivals(1)
        bearer.token = nil
        clients[0].signOut()
        guard case .authentication? = await former.ended().error else { throw Surprise("\(former.trace)") }
        bearer.token = Secret("bob")
        let next = clients[isOtherClient ? 1 : 0].get("/a")
        #expect(await next.ended(timeout: 60).value != nil, "\(next.trace)")
        hang.open()
    }

    /// Another client, which has not signed out, shares the refresh of the same user all the same.
    @Test
    func clientsThatShareAUserRefreshOneAfterAnother() async throws {
        let refreshes = Locked(0)
        let bearer = BearerAuthenticator(token: Secret("ada")) { [hang] _ in
            _ = refreshes.next()
            try await hang.wait()
            return Secret("ada2")
        }
        let server = server(accepting: "2")
        let clients = (0..<2).map { _ in
            SimpleNetworking(over: server, clock: clock) { $0.authenticator = bearer }
        }
        let first = clients[0].get("/a")
        await hang.arrivals(1)
        let second = clients[1].get("/a")
        try await eventually { server.requests.count == 2 }
        hang.open()
        for request in [first, second] { #expect(await request.ended().value != nil) }
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test
    func aRefreshThatEndsLateDoesNotReplaceTheTokenOfTheNextRefresh() async throws {
        let late = Locked<Secret?>(nil)
        let numbers = Locked(0)
        let bearer = BearerAuthenticator(token: Secret("t0")) { [hang] _ in
            let number = numbers.next()
            if number == 1 { try await hang.wait() }
            return Secret("t\(number)")
        }
        let old = try #require(try await bearer.credential())
        let first = Task { try await bearer.refresh(old) }
        await hang.arrivals(1)
        _ = try await bearer.refresh(old)
        #expect(bearer.token?.reveal() == "t2")
        hang.open()
        _ = late.exchange(try await first.value.token)
        #expect(late.withLock { $0?.reveal() } == "t2")
        #expect(bearer.token?.reveal() == "t2")
    }
}
