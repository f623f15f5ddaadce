import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingOAuth

/// A token endpoint that is overloaded or in maintenance, and says when to come back.
@Suite(.timeLimit(.minutes(5)))
struct UnavailableServerTests {
    private let clock = VirtualClock()
    private let server: StubTransport
    private let reply = StubResponse.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)

    init() { server = StubTransport(clock: clock) }

    private func session(
        _ configure: @Sendable (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> OAuthSession {
        OAuthSession(Example.configuration, store: MemoryCredentialStore(Example.expired())) {
            ($0.transport, $0.clock, $0.logger) = (server, clock, .quiet)
            configure(&$0)
        }
    }

    /// Compared with this device's clock, the date would be long past.
    @Test
    func aDateInRetryAfterIsReadByTheServersOwnClock() async throws {
        let headers: HTTPHeaders = [
            "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:57 GMT",
        ]
        server.on(.post, "/token", .status(503, headers: headers), times: 1).on(.post, "/token", reply)
        let session = session()
        let token = Task { try await session.currentToken() }
        try await clock.advance(to: .retry)
        #expect(clock.now == 20)
        #expect(try await token.value.accessToken == Secret("new"))
    }

    @Test(arguments: [503, 429])
    func aRefreshWaitsAsLongAsTheServerSays(status: Int) async throws {
        server.on(.post, "/token", .status(status, headers: ["Retry-After": "20"]), times: 1).on(.post, "/token", reply)
        let session = session()
        let token = Task { try await session.currentToken() }
        try await clock.advance(to: .retry)
        #expect(clock.now == 20)
        #expect(try await token.value.accessToken == Secret("new"))
        #expect(server.requests.map { $0.form["refresh_token"] } == ["r1", "r1"])
    }

    @Test(
        arguments: [
            (503, "31"), (503, "soon"), (503, nil), (500, "1"), (502, "1"), (400, "1"),
        ] as [(Int, String?)]
    )
    func aRefreshDoesNotWaitBeyondItsDeadlineNorForAnyOtherResponse(status: Int, delay: String?) async throws {
        server.on(.post, "/token", .status(status, headers: delay.map { ["Retry-After": $0] } ?? [:]))
        let error = await oauthError { try await session().currentToken() }
        #expect(error?.name == (status >= 500 ? "unavailable" : "invalidResponse"))
        #expect(server.requests.count == 1)
        #expect(clock.now == 0)
    }

    @Test
    func aNetworkFailureIsNotRetried() async throws {
        server.on(.post, "/token", .failure(.connectionLost))
        #expect(await oauthError { try await session().currentToken() }?.name == "unavailable")
        #expect(server.requests.count == 1)
    }

    @Test
    func aServerThatPutsARefreshOffForEverIsAskedThreeTimes() async throws {
        server.on(.post, "/token", .status(503, headers: ["Retry-After": "0"]))
        #expect(await oauthError { try await session().currentToken() }?.name == "unavailable")
        #expect(server.requests.count == 3)
    }
}
