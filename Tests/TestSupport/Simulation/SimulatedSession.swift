import Foundation
import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// What the simulation of the engine does in each world: some requests of all kinds, on a client with any settings.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package enum SimulatedSession {
    /// Refers weakly to what must be gone when nothing can happen any more.
    private struct Remains {
        weak var client: SimpleNetworking?
        weak var handlers: SimulatedHandlers?
    }

    /// Uses a client in a world, and checks what became of it.
    package static func run(_ world: SimulatedWorld) async {
        let remains = await use(world)
        world.expect(remains.client == nil, "something keeps the client")
        world.expect(remains.handlers == nil, "something keeps handlers")
    }

    private static func use(_ world: SimulatedWorld) async -> Remains {
        let service = SimulatedService(world)
        let api = makeClient(world, service)
        var handlers: [SimulatedHandlers] = []
        if service.isImpatient, world.chance(0.3) { world.sometime("sign out") { [weak api] in api?.signOut() } }
        for number in 1...world.number(in: service.isRevoking ? 4...9 : 2...5) {
            let path = world.choose(service.paths)
            let own = SimulatedHandlers(world, "\(number) \(path)")
            handlers.append(own)
            let request = own.add(to: SimpleNetworking.request(path == "/orders" ? .post : .get, path: path), api)
            let deadline: TimeInterval? = world.chance(0.2) ? world.choose([1, 5, 30]) : nil
            if let deadline { request.deadline(deadline) }
            // At its deadline, a refused request ends with what the server has said.
            let end = deadline.map { world.clock.now + $0 } ?? .infinity
            request.on(completion: { if world.clock.now < end { service.check($0, of: path) } })
            if world.chance(0.3) { request.timeout(world.choose([1, 5])) }
            if world.chance(0.3) { world.sometime("cancel \(number)") { request.cancel() } }
            request.execute(on: api)
            if world.chance(0.3) { await world.pause() }
        }
        await awaitOne(world, api)
        await world.settled()
        for own in handlers { own.verify() }
        return Remains(client: api, handlers: handlers.first)
    }

    /// Awaits a request in a task of its own, which may be cancelled.
    private static func awaitOne(_ world: SimulatedWorld, _ api: SimpleNetworking) async {
        guard world.chance(0.5) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await api.send(Request<[String: String]>.get("/items/1")).value }
            group.addTask { _ = try? await api.send(SimpleNetworking.get("/items/2")) }
            guard world.chance(0.4) else { return }
            await world.pause()
            group.cancelAll()
        }
    }

    private static func makeClient(_ world: SimulatedWorld, _ service: SimulatedService) -> SimpleNetworking {
        let cache = world.chance(0.5) ? world.makeCache() : nil
        let usesHandler = world.chance(0.3)
        let client = Locked<WeakClient>(WeakClient())
        let configure = { @Sendable (configuration: inout SimpleNetworking.Configuration) in
            world.configure(&configuration)
            configuration.retryPolicy = RetryPolicy(attempts: world.number(in: 1...3))
            configuration.timeout = world.choose([5, 30])
            // Enough for the refreshes that others cause, beside what handlers retry.
            configuration.maxRetries = service.isRevoking ? 20 : world.number(in: 0...3)
            configuration.refreshTimeout = service.isImpatient ? 3 : 10_000
            configuration.waitsForRefresh = world.chance(0.5)
            configuration.cache = cache
            if world.chance(0.5) { configuration.cookieJar = CookieJar() }
            if world.chance(0.5) { configuration.defaultHeaders["X-API-Key"] = "k3y" }
            guard !usesHandler else { return }
            configuration.authenticator = BearerAuthenticator(token: Secret(SimulatedService.firstToken)) { refused in
                Secret(try await service.refresh(refused.reveal(), over: client.withLock { $0.client }))
            }
        }
        let api =
            usesHandler
            ? HandlerClient(world, service, configure) : SimpleNetworking(host: "api.example.com", configure: configure)
        client.withLock { $0.client = api }
        return api
    }

    private struct WeakClient: Sendable { weak var client: SimpleNetworking? }
}

/// Refreshes its token in a handler for 401.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class HandlerClient: SimpleNetworking, @unchecked Sendable {
    private let service: SimulatedService
    private let token = Locked(SimulatedService.firstToken)

    init(
        _ world: SimulatedWorld,
        _ service: SimulatedService,
        _ configure: (inout Configuration) -> Void
    ) {
        self.service = service
        super.init(host: "api.example.com", configure: configure)
        headers["Authorization"] = "Bearer \(SimulatedService.firstToken)"
    }

    override func execute(request: SimpleRequest) {
        if request.tags["own"] == nil {
            request.tag("own", "1").on(httpStatus: 401) { [weak self] request, _ in
                guard let self else { return true }
                reauthenticate(request) { [self] in
                    let new = try await service.refresh(token.withLock { $0 }, over: nil)
                    token.withLock { $0 = new }
                    headers["Authorization"] = "Bearer \(new)"
                }
                return false
            }
        }
        super.execute(request: request)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SimulatedWorld {
    /// Makes a cache that measures ages with this world's clock.
    func makeCache() -> ResponseCache { ResponseCache(now: { [self] in date }) }
}
