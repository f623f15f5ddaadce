import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Event streams of a session whose token can't be refreshed.
@Suite(.timeLimit(.minutes(5)))
struct SessionStreamTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    /// Reads a stream whose token has expired, and whose server of tokens responds like this for once.
    private func events(afterOneRefreshWith response: StubResponse) async throws -> [String] {
        let token = StubResponse.json(#"{"access_token":"new","refresh_token":"r2","expires_in":3600}"#)
        server.on("/token", .replies(response, token)).on("/news", .events("a"))
        let session = OAuthSession(Example.configuration, store: MemoryCredentialStore(Example.expired())) {
            $0.transport = server
        }
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.authenticator = session
            $0.refreshTimeout = 600
        }
        let (result, _) = await clock.advancing(to: .retry) { () -> Result<[String], any Error> in
            await Result(of: {
                for try await event in client.events(for: SimpleNetworking.get("/news"), reconnects: true) {
                    return [event.data]
                }
                return []
            })
        }
        return try result.get()
    }

    @Test(arguments: [StubResponse.status(503), .failure(NetworkFailure(.offline))])
    func anEventStreamGoesOnAfterARefreshThatFailedForTheMoment(response: StubResponse) async throws {
        #expect(try await events(afterOneRefreshWith: response) == ["a"])
    }

    @Test
    func anEventStreamEndsWithTheSession() async throws {
        let refusal = StubResponse.json(#"{"error":"invalid_grant"}"#, status: 400)
        let error = await #expect(throws: SimpleNetworkingError.self) {
            _ = try await events(afterOneRefreshWith: refusal)
        }
        guard case .authentication? = error else { throw Surprise("another end") }
    }
}
