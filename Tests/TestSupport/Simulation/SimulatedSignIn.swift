import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting

/// What the simulation of OAuth does in each world: requests that sessions sign, while tokens expire and are refused,
/// refreshes fail, and the user signs out and in.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package enum SimulatedSignIn {
    /// Refers weakly to what must be gone when nothing can happen any more.
    private struct Remains {
        weak var session: OAuthSession?
        weak var client: SimpleNetworking?
        weak var handlers: SimulatedHandlers?
    }

    /// Uses sessions in a world, and checks what became of them.
    package static func run(_ world: SimulatedWorld) async {
        let remains = await use(world)
        world.expect(remains.session == nil, "something keeps the session")
        world.expect(remains.client == nil, "something keeps the client")
        world.expect(remains.handlers == nil, "something keeps handlers")
    }

    private static func use(_ world: SimulatedWorld) async -> Remains {
        let issuer = SimulatedIssuer(world)
        let grant: Grant? = world.chance(0.2) ? .clientCredentials : nil
        let vault = SimulatedVault(world, world.chance(0.9) ? issuer.signIn() : nil, hasUser: grant == nil)
        // Two sessions share a store as two programs do.
        let sessions = (1...world.choose([1, 1, 2])).map { _ in
            OAuthSession(issuer.configuration, store: vault, unattendedGrant: grant) { vault.configure(&$0) }
        }
        let clients = (sessions + (world.chance(0.3) ? [sessions[0]] : [])).map { makeClient(world, vault, $0) }
        var handlers: [SimulatedHandlers] = []
        for number in 1...world.number(in: 2...5) {
            let (api, path) = (world.choose(clients), world.choose(["/items/1", "/items/1", "/items/2", "/away"]))
            let own = SimulatedHandlers(world, "\(number) \(path)")
            handlers.append(own)
            let request = own.add(to: SimpleNetworking.get(path), api)
            if world.chance(0.2) { request.deadline(world.choose([1, 5, 30])) }
            if world.chance(0.3) { world.sometime("cancel \(number)") { request.cancel() } }
            request.execute(on: api)
            if world.chance(0.3) { await world.pause() }
        }
        await useMore(world, issuer, vault, sessions, clients)
        await world.settled()
        for own in handlers { own.verify() }
        await vault.verify(sessions)
        return Remains(session: sessions[0], client: clients[0], handlers: handlers[0])
    }

    /// What tasks do that may be cancelled, and what the user does.
    private static func useMore(
        _ world: SimulatedWorld,
        _ issuer: SimulatedIssuer,
        _ vault: SimulatedVault,
        _ sessions: [OAuthSession],
        _ clients: [SimpleNetworking]
    ) async {
        let (session, api) = (sessions[0], clients[0])
        let leaves = vault.hasUser && world.chance(0.4)
        let returns = vault.hasUser && world.chance(0.3)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await api.send(SimpleNetworking.get("/items/1")) }
            for session in sessions where world.chance(0.5) {
                group.addTask {
                    await world.pause()
                    _ = try? await session.currentToken()
                }
            }
            if leaves { group.addTask { await signOut(world, vault, session, api) } }
            if returns {
                group.addTask {
                    await world.pause()
                    world.note("the user signs in")
                    let token = issuer.signIn()
                    vault.adopts(token)
                    try? await session.adopt(token)
                }
            }
            guard world.chance(0.3) else { return }
            await world.pause()
            group.cancelAll()
        }
    }

    private static func signOut(
        _ world: SimulatedWorld,
        _ vault: SimulatedVault,
        _ session: OAuthSession,
        _ api: SimpleNetworking
    ) async {
        await world.pause()
        world.note("the user signs out")
        vault.leaves()
        guard (try? await session.signOut()) != nil else { return world.note("the store kept the token") }
        world.note("the user has signed out")
        _ = try? await api.send(SimpleNetworking.get("/items/after"))
    }

    private static func makeClient(
        _ world: SimulatedWorld,
        _ vault: SimulatedVault,
        _ session: OAuthSession
    ) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            vault.configure(&$0)
            $0.retryPolicy = RetryPolicy(attempts: world.number(in: 1...3))
            $0.timeout = world.choose([5, 30])
            $0.maxRetries = world.number(in: 0...3)
            $0.refreshTimeout = world.choose([3, 10_000])
            $0.waitsForRefresh = world.chance(0.5)
            $0.authenticator = session
        }
    }
}
