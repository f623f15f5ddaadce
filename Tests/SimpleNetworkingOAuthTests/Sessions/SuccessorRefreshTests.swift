import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// A user who signs in while the token of the one before is being refreshed.
@Suite(.timeLimit(.minutes(15)))
struct SuccessorRefreshTests {
    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func theRefreshOfTheUserBeforeGivesTheNextOneNoToken() async throws {
        try await simulate(seeds: 3_500...Storm.size(4_000, full: 20_000)) { world in
            world.server.on("/token") { request in
                .json(#"{"access_token":"new \#(request.form["refresh_token"] ?? "")","expires_in":3600}"#)
            }
            let store = MemoryCredentialStore(Example.expired("alice", refresh: "alice"))
            let session = OAuthSession(Example.configuration, store: store) {
                world.configure(&$0)
                // Only the order of what happens differs.
                $0.transport = world.server
                ($0.timeout, $0.deadline) = (3_600, nil)
            }
            guard let alice = try await session.credential() else { return world.expect(false, "no credential") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await session.refresh(alice) }
                group.addTask {
                    try await session.adopt(Example.expired("bob", refresh: "bob"))
                    guard let bob = try await session.credential() else { return world.expect(false, "no credential") }
                    let token = try await session.refresh(bob).token.accessToken
                    world.expect(token == Secret("new bob"), "bob got the token \(token.reveal())")
                }
                try await group.waitForAll()
            }
        }
    }
}
