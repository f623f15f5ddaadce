import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers

/// A request with options at random.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package struct RandomRequest {
    /// What the invariants have to know of a request.
    struct Traits: Sendable {
        /// Whether others wait for it, so that it needs no slot.
        var isUrgent = false
        /// Whether it gives its slot back with the head.
        var isStream = false
        var isUnauthenticated = false
        var path = ""
        /// The key with which it replaces others.
        var key: String?
        var coalesces: Bool?
        /// Its own retry policy.
        var retryPolicy: RetryPolicy?
        /// The file that it downloads to, which is there before.
        var file: URL?
    }

    typealias Switch = @Sendable (SimpleRequest, inout Traits, RandomScene) -> Void

    let scene: RandomScene
    let name: String
    let request: SimpleRequest
    let entry: RandomLedger.Entry

    init(_ scene: RandomScene, _ number: Int) {
        let world = scene.world
        let path = world.choose(RandomServer.paths)
        let request = SimpleNetworking.request(path == "/orders" ? .post : .get, path: path)
        var traits = Traits(path: path)
        for (_, change) in Self.switches { change(request, &traits, scene) }
        self.scene = scene
        self.request = request
        entry = scene.ledger.add(traits, request)
        name = entry.id
    }

    /// The names of the options that are random, and of those that are not.
    package static var names: Set<String> {
        // What has no public method, what the world itself sets, and resumable uploads, which have tests of their own.
        let fixed = [
            "fileID", "line", "defaultAccept", "isSentInParts", "callbackQueue", "middleware", "tags",
            "options", "configure", "mistake",
        ]
        return Set(switches.map(\.name) + fixed)
    }

    private static let switches: [(name: String, change: Switch)] = [
        ("method", { _, _, _ in }),
        ("path", { _, _, _ in }),
        ("query", { request, _, scene in if scene.world.chance(0.1) { request.query(["a": "1"]) } }),
        (
            "headers",
            { request, _, scene in
                if scene.world.chance(0.2) { request.header("X-Own", "own") }
                if request.method == .post, scene.world.chance(0.2) { request.header("Expect", "100-continue") }
            }
        ),
        (
            "timeout",
            { request, _, scene in if scene.world.chance(0.2) { request.timeout(scene.world.choose([1, 5])) } }
        ),
        ("body", { if $0.method == .post { addBody(to: $0, $2) } }),
        ("contentType", { request, _, scene in if scene.world.chance(0.1) { request.contentType(.json) } }),
        ("allowsBodyOnGet", { request, _, scene in if scene.world.chance(0.1) { request.allowsBodyOnGet() } }),
        (
            "destination",
            { request, traits, scene in
                guard request.path.hasPrefix("/film"), scene.world.chance(0.5) else { return }
                let file = KeptFiles.makeFile()
                traits.file = file
                request.download(to: file)
            }
        ),
        (
            "deadline",
            { request, _, scene in if scene.world.chance(0.2) { request.deadline(scene.world.choose([1, 5, 30])) } }
        ),
        (
            "retryPolicy",
            { request, traits, scene in
                guard scene.world.chance(0.2) else { return }
                let policy = RandomConfiguration.retryPolicy(scene.world)
                traits.retryPolicy = policy
                request.retry(policy)
            }
        ),
        (
            "cachePolicy",
            { request, _, scene in
                if scene.world.chance(0.2) { request.cachePolicy(scene.world.choose(CachePolicy.allCases)) }
            }
        ),
        ("redirectPolicy", { request, _, scene in if scene.world.chance(0.1) { request.redirects(.never) } }),
        (
            "changeRedirect",
            { request, _, scene in
                guard scene.world.chance(0.1) else { return }
                request.redirects(.follow) { head, _ in head.headers["X-Redirected"] = "yes" }
            }
        ),
        (
            "acceptableStatuses",
            { request, _, scene in
                if scene.world.chance(0.1) { request.acceptable(statuses: [200, 201, 404, 500]) }
            }
        ),
        ("acceptableTypes", { request, _, scene in if scene.world.chance(0.1) { request.acceptable(types: [.json]) } }),
        (
            "isAuthenticated",
            { request, traits, scene in
                guard scene.world.chance(0.1) else { return }
                traits.isUnauthenticated = true
                request.unauthenticated()
            }
        ),
        (
            "priority",
            { request, _, scene in
                if scene.world.chance(0.3) { request.priority(scene.world.choose(RequestPriority.allCases)) }
            }
        ),
        (
            "coalesces",
            { request, traits, scene in
                guard scene.world.chance(0.2) else { return }
                let coalesces = scene.world.chance(0.7)
                traits.coalesces = coalesces
                request.coalesced(coalesces)
            }
        ),
        (
            "replacementKey",
            { request, traits, scene in
                guard scene.world.chance(0.2) else { return }
                traits.key = "search"
                request.replacing("search")
            }
        ),
        ("makesIdempotencyKey", { request, _, scene in if scene.world.chance(0.2) { request.idempotent() } }),
    ]

    private static func addBody(to request: SimpleRequest, _ scene: RandomScene) {
        let world = scene.world
        switch world.number(in: 0...3) {
        case 0: request.body(text: "order")
        case 1: request.body(json: ["order": 1])
        case 2:
            request.body(chunks: BodyChunks { PausedChunks(world: world) }, contentType: .octetStream)
            // A client that enforces timeouts itself can't see that an upload is idle.
            if scene.checksBelowDeparture { request.timeout(30) }
        default: break
        }
    }

    // MARK: Use

    /// Adds handlers that check what they receive.
    func handle(on api: SimpleNetworking) -> SimulatedHandlers {
        let own = SimulatedHandlers(scene.world, name) { [entry] in entry.wish() }
        if scene.users.scheme == .field {
            request.on(httpStatus: 401) { [weak api, users = scene.users] request, _ in
                guard let api else { return true }
                api.reauthenticate(request) { try await users.refreshField() }
                return false
            }
        }
        _ = own.add(to: request, api)
        let (world, users, entry) = (scene.world, scene.users, entry)
        request.on(completion: { outcome in
            guard case .success(let response) = outcome, let members = JSONValue(response.data)?.members,
                let user = members["user"]?.integer
            else { return }
            let isOwn = user == 0 || (entry.session...users.session).contains(user)
            world.expect(isOwn, "\(entry.id) of session \(entry.session) has the response of session \(user)")
        })
        return own
    }

    /// Awaits requests in tasks that may be cancelled, one of them in chunks.
    static func awaitSome(_ scene: RandomScene, _ api: SimpleNetworking) async {
        let world = scene.world
        guard world.chance(0.5) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let request = SimpleNetworking.get(world.choose(["/items/1", "/items/2"]))
                scene.ledger.add(Traits(), request)
                _ = try? await api.send(request)
            }
            group.addTask {
                let request = SimpleNetworking.get("/film/1")
                scene.ledger.add(Traits(isStream: true), request)
                do { for try await _ in api.bytes(for: request) where world.chance(0.3) { await world.pause() } } catch
                {}
            }
            guard world.chance(0.4) else { return }
            await world.pause()
            group.cancelAll()
        }
    }
}

/// Produces content piece by piece.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct PausedChunks: AsyncSequence {
    struct Iterator: AsyncIteratorProtocol {
        let world: SimulatedWorld
        var left = 2

        mutating func next() async throws -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            if world.chance(0.5) { await world.pause() }
            return Data("piece".utf8)
        }
    }

    let world: SimulatedWorld

    func makeAsyncIterator() -> Iterator { Iterator(world: world) }
}
