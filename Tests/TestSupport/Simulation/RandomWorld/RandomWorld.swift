import Foundation
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic

/// A world with every switch of the configuration, of requests and every event at random, whose invariants are checked
/// where requests leave the client.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package enum RandomWorld {
    /// Refers weakly to what must be gone when nothing can happen any more.
    private struct Remains {
        weak var client: SimpleNetworking?
        weak var handlers: SimulatedHandlers?
    }

    /// Uses a client in a world, and checks what it sent and what became of it.
    package static func run(_ world: SimulatedWorld) async {
        let remains = await use(RandomScene(world))
        world.expect(remains.client == nil, "something keeps the client")
        world.expect(remains.handlers == nil, "something keeps handlers")
    }

    private static func use(_ scene: RandomScene) async -> Remains {
        let world = scene.world
        RandomServer.addRules(to: scene)
        let api = RandomConfiguration.makeClient(scene)
        scene.open(for: api)
        if world.chance(0.7) { scene.users.signIn() }
        let events = RandomEvents(scene, api)
        events.plan()
        var handlers: [SimulatedHandlers] = []
        for number in 1...world.number(in: 2...7) {
            let request = RandomRequest(scene, number)
            let own = request.handle(on: api)
            handlers.append(own)
            events.plan(for: request, own, on: api)
            request.request.execute(on: api)
            if world.chance(0.4) { await world.pause() }
        }
        await RandomRequest.awaitSome(scene, api)
        await world.settled()
        for own in handlers { own.verify() }
        scene.verify(api)
        return Remains(client: api, handlers: handlers.first)
    }
}

/// What the parts of a random world share.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class RandomScene: Sendable {
    private struct WeakClient: Sendable { weak var client: SimpleNetworking? }

    let world: SimulatedWorld
    let users: RandomUsers
    let ledger: RandomLedger
    /// Whether the invariants are checked by the last stage before the transport, because the client enforces timeouts.
    let checksBelowDeparture: Bool
    /// The rules of the client's circuit breaker, if it has one.
    let breakerRules = Locked<OpenBreaker.Rules?>(nil)
    private let weakClient = Locked(WeakClient())
    private let rules = Locked<[any Invariant]>([])

    init(_ world: SimulatedWorld) {
        self.world = world
        users = RandomUsers(world)
        ledger = RandomLedger(world, users)
        checksBelowDeparture = world.chance(0.3)
        users.use(self)
    }

    var client: SimpleNetworking? { weakClient.withLock(\.client) }
    var invariants: [any Invariant] { rules.withLock { $0 } }

    /// Notes the client, whose settings decide which invariants apply.
    func open(for client: SimpleNetworking) {
        weakClient.withLock { $0.client = client }
        let configuration = client.configuration
        let hasHooks = client is RandomClient
        world.note("the client: \(self.users.scheme), \(hasHooks ? "with hooks, " : "")\(configuration)")
        rules.withLock {
            $0 = [
                OwnUser(self), Freshness(self), NoRepetition(self), Suspended(self), Replacement(self), KeptFiles(self),
                Limits(self, configuration.traffic), HeededServer(self, configuration.traffic),
            ]
            if let jar = configuration.cookieJar { $0.append(KeptCookies(self, jar)) }
            if let rules = breakerRules.withLock({ $0 }) { $0.append(OpenBreaker(self, rules)) }
        }
    }

    /// Checks what is left when nothing can happen any more.
    func verify(_ client: SimpleNetworking) {
        for rule in invariants { rule.verify() }
        world.expect(client.isIdle, "a slot, a transfer or a place among replacing requests is left")
    }
}
