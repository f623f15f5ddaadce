import Foundation
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingTesting

/// What happens in a random world while requests are on their way.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct RandomEvents {
    private let scene: RandomScene
    private weak var api: SimpleNetworking?

    init(_ scene: RandomScene, _ api: SimpleNetworking) { (self.scene, self.api) = (scene, api) }

    private var world: SimulatedWorld { scene.world }

    /// Plans what happens to the client and its servers.
    func plan() {
        let (world, users) = (world, scene.users)
        some(0.3, "the server revokes the token") { _ in users.revoke() }
        some(0.2, "the server revokes the token again") { _ in users.revoke() }
        some(0.3, "the user signs out") { _ in
            users.signOut()
            if world.chance(0.5) { world.sometime("the user signs in again") { users.signIn() } }
        }
        some(0.2, "another user signs in") { _ in users.signIn(asOther: true) }
        some(0.3, "a header field changes") { $0.defaultHeaders["X-Version"] = "1" }
        some(0.2, "a header field changes again") { $0.defaultHeaders["X-Version"] = "2" }
        some(0.2, "a cookie changes") { api in
            guard let url = URL(string: "https://\(RandomServer.host)/") else { return }
            api.configuration.cookieJar?.store(["Set-Cookie": "own=u\(users.session)-0; Path=/"], from: url)
        }
        some(0.1, "fewer retries are allowed") { $0.maxRetries = 1 }
        some(0.2, "the connection is lost") { _ in
            let (faults, rate) = (world.faults, world.faultRate)
            world.faults = [.failure(.offline), .failure(.cannotConnect)]
            world.faultRate = 1
            world.sometime("the connection is back") { (world.faults, world.faultRate) = (faults, rate) }
        }
        if world.chance(0.3) { world.faultRate = world.choose([0, 0.5]) }
    }

    /// Plans what the user does with a request.
    func plan(for request: RandomRequest, _ own: SimulatedHandlers, on api: SimpleNetworking) {
        let (world, ledger, entry, request) = (world, scene.ledger, request.entry, request.request)
        let suspend = { @Sendable in
            request.suspend()
            world.sometime("\(entry.id) is resumed") { request.resume() }
        }
        if world.chance(0.1) { suspend() }
        if world.chance(0.2) { world.sometime("\(entry.id) is suspended") { suspend() } }
        if world.chance(0.2) { world.sometime("\(entry.id) is cancelled") { request.cancel() } }
        if world.chance(0.1) {
            world.sometime("\(entry.id) is retried by hand") {
                own.mayStartAgain()
                entry.wish()
                request.retry()
            }
        }
        if world.chance(0.1) {
            world.sometime("\(entry.id) is executed again") { [weak api] in
                guard let api, !entry.isActive else { return }
                own.mayStartAgain()
                ledger.execute(entry)
                request.execute(on: api)
            }
        }
    }

    private func some(_ probability: Double, _ name: String, _ event: @escaping @Sendable (SimpleNetworking) -> Void) {
        guard world.chance(probability) else { return }
        world.sometime(name) { [weak api] in
            if let api { event(api) }
        }
    }
}
