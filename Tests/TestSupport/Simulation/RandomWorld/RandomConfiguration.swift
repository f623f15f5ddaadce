import Foundation
import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client's settings at random.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package enum RandomConfiguration {
    typealias Configuration = SimpleNetworking.Configuration
    typealias Switch = @Sendable (inout Configuration, RandomScene) -> Void

    /// Creates a client whose hooks do nothing, or anything.
    static func makeClient(_ scene: RandomScene) -> SimpleNetworking {
        let hasHooks = scene.world.chance(0.5)
        let configure = { (configuration: inout Configuration) in
            scene.world.configure(&configuration)
            for (_, change) in switches { change(&configuration, scene) }
            var rules = TrafficRules()
            for (_, change) in trafficSwitches { change(&rules, scene.world) }
            // A client with rules of its own has no plain requests.
            if rules != TrafficRules() { configuration.traffic = rules }
            watch(&configuration, scene)
        }
        return hasHooks
            ? RandomClient(scene, configure) : SimpleNetworking(host: RandomServer.host, configure: configure)
    }

    private static func watch(_ configuration: inout Configuration, _ scene: RandomScene) {
        configuration.eventMonitors.append(scene.ledger)
        guard let network = configuration.transport else { return }
        let watched = WatchedNetwork(scene: scene, network: network)
        configuration.transport = watched
        if scene.checksBelowDeparture { configuration.middleware.append(watched) }
    }

    /// The names of the settings that are random, and of those that belong to the world.
    package static var names: Set<String> {
        let fixed = ["callbackQueue", "sessionDelegate", "transport", "clock", "logger", "eventMonitors", "traffic"]
        return Set(switches.map(\.name) + fixed)
    }

    /// The names of the traffic rules that are random.
    package static var trafficNames: Set<String> { Set(trafficSwitches.map(\.name)) }
    /// The members of a retry policy that are random.
    package static var retryNames: Set<String> { Set(retrySwitches.map(\.name)) }

    private static let switches: [(name: String, change: Switch)] = [
        ("timeout", { $0.timeout = $1.world.choose([5, 30, 60]) }),
        ("deadline", { $0.deadline = $1.world.chance(0.2) ? $1.world.choose([10, 40, 120]) : nil }),
        ("maxRetries", { $0.maxRetries = $1.world.number(in: 0...3) }),
        (
            "defaultHeaders",
            { configuration, scene in
                configuration.defaultHeaders["X-Version"] = "0"
                if scene.world.chance(0.3) { configuration.defaultHeaders["X-API-Key"] = "k3y" }
            }
        ),
        ("secretHeaders", { if $1.world.chance(0.5) { $0.secretHeaders = ["X-API-Key"] } }),
        ("sharedHeaders", { if $1.world.chance(0.3) { $0.sharedHeaders = ["X-Version"] } }),
        (
            "trustedOrigins",
            { configuration, scene in
                guard scene.world.chance(0.2), let other = Origin("https://\(RandomServer.otherHost)") else { return }
                configuration.trustedOrigins = [other]
                scene.world.trustedHosts = [RandomServer.host, RandomServer.otherHost]
            }
        ),
        ("acceptableStatuses", { if $1.world.chance(0.2) { $0.acceptableStatuses = HTTPStatuses(200...404) } }),
        ("retryPolicy", { $0.retryPolicy = retryPolicy($1.world) }),
        (
            "retryAllowance",
            { if $1.world.chance(0.2) { $0.retryAllowance = RetryAllowance(share: 0.5, perSecond: 0.1) } }
        ),
        (
            "redirectPolicy",
            { $0.redirectPolicy = $1.world.choose([.follow, .follow, .follow, RedirectPolicy(limit: 1), .never]) }
        ),
        ("authenticator", { if let bearer = $1.users.bearer { $0.authenticator = bearer } }),
        ("refreshTimeout", { $0.refreshTimeout = $1.world.choose([3, 30, 10_000]) }),
        ("waitsForRefresh", { $0.waitsForRefresh = $1.world.chance(0.5) }),
        ("middleware", { $0.middleware = middleware($1) }),
        ("encoder", { if $1.world.chance(0.1) { $0.encoder = JSONEncoder() } }),
        ("decoder", { if $1.world.chance(0.1) { $0.decoder = JSONDecoder() } }),
        ("cookieJar", { if $1.world.chance(0.6) { $0.cookieJar = CookieJar() } }),
        ("cache", { if $1.world.chance(0.5) { $0.cache = $1.world.makeCache() } }),
        ("cachePolicy", { if $1.world.chance(0.2) { $0.cachePolicy = $1.world.choose(CachePolicy.allCases) } }),
        ("maxResponseSize", { if $1.world.chance(0.1) { $0.maxResponseSize = 20 } }),
        ("maxDownloadSize", { if $1.world.chance(0.2) { $0.maxDownloadSize = 20 } }),
        ("another field", { if $1.world.chance(0.1) { $0.defaultHeaders["X-Session"] = "1" } }),
    ]

    private static let trafficSwitches:
        [(name: String, change: @Sendable (inout TrafficRules, SimulatedWorld) -> Void)] = [
            ("inFlight", { if $1.chance(0.3) { $0.inFlight = $1.number(in: 1...3) } }),
            ("inFlightPerOrigin", { if $1.chance(0.3) { $0.inFlightPerOrigin = $1.number(in: 1...2) } }),
            ("maxWaiting", { if $1.chance(0.2) { $0.maxWaiting = $1.number(in: 0...2) } }),
            (
                "rate",
                { if $1.chance(0.2) { $0.rate = .perSecond($1.choose([0.2, 1, 5]), burst: $1.number(in: 1...2)) } }
            ),
            ("respectsRateLimits", { $0.respectsRateLimits = $1.chance(0.4) }),
            ("maxServerWait", { if $1.chance(0.5) { $0.maxServerWait = $1.choose([1, 10]) } }),
            ("coalesces", { $0.coalesces = $1.chance(0.3) }),
            ("waitsForConnectivity", { $0.waitsForConnectivity = $1.chance(0.3) }),
        ]

    private static let retrySwitches: [(name: String, change: @Sendable (inout RetryPolicy, SimulatedWorld) -> Void)] =
        [
            ("attempts", { $0.attempts = $1.number(in: 1...3) }),
            ("statuses", { if $1.chance(0.2) { $0.statuses = [404, 503] } }),
            ("backoff", { $0.backoff = $1.choose([Backoff.exponential(), .constant(0), .constant(3)]) }),
            ("maxRetryAfter", { if $1.chance(0.2) { $0.maxRetryAfter = 2 } }),
            ("repeatsAnyMethod", { $0.repeatsAnyMethod = $1.chance(0.1) }),
            ("retriesMissingResponses", { $0.retriesMissingResponses = $1.chance(0.8) }),
        ]

    static func retryPolicy(_ world: SimulatedWorld) -> RetryPolicy {
        var policy = RetryPolicy.never
        for (_, change) in retrySwitches { change(&policy, world) }
        return policy
    }

    private static func middleware(_ scene: RandomScene) -> [any Middleware] {
        let world = scene.world
        var middleware: [any Middleware] = []
        if world.chance(0.2) { middleware.append(WaitingMiddleware(world: world)) }
        if world.chance(0.2) { middleware.append(Hedging(after: world.choose([0.5, 3]), share: 1)) }
        if world.chance(0.3) {
            let rules = OpenBreaker.Rules(minimumCalls: world.number(in: 1...4), openTime: world.choose([2, 20]))
            scene.breakerRules.withLock { $0 = rules }
            middleware.append(CircuitBreaker(minimumCalls: rules.minimumCalls, window: 1e6, openTime: rules.openTime))
        }
        return middleware
    }
}

/// Takes its time before a request and after its response.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct WaitingMiddleware: Middleware {
    let world: SimulatedWorld

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        if world.chance(0.5) { await world.pause() }
        let response = try await next(request)
        if world.chance(0.3) { await world.pause() }
        return response
    }
}
