import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// The servers of a random world: they refuse tokens, redirect, limit, set cookies, and send content slowly or in part.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct RandomServer {
    static let host = "api.example.com"
    static let otherHost = "files.example.net"
    static let paths = [
        "/items/1", "/items/1", "/items/2", "/items/3", "/orders", "/orders", "/film/1", "/film/2", "/away", "/around",
        "/limited",
    ]

    private let scene: RandomScene
    private let isCached: Bool
    private let limits: Bool
    private let contents = Locked(0)
    private let cookies = Locked(0)

    static func addRules(to scene: RandomScene) {
        let server = RandomServer(scene: scene, isCached: scene.world.chance(0.7), limits: scene.world.chance(0.6))
        scene.world.server
            .on(.get, "/items/{id}") { server.item($0) }
            .on(.post, "/orders") { server.order($0) }
            .on(.post, "/orders/again") { server.accept($0, .status(201)) }
            .on(.get, "/film/{id}") { server.film($0) }
            .on(.get, "/away") { server.redirect($0, to: "https://\(otherHost)/film/1", [302, 307]) }
            .on(.get, "/around") { server.redirect($0, to: "https://\(otherHost)/back", [307]) }
            .on(.get, "/back") { server.redirect($0, to: "https://\(host)/items/1", [302, 308]) }
            .on(.get, "/limited") { server.limited($0) }
            .on(.post, "/token") { server.redirect($0, to: "https://\(host)/items/1", [201]) }
    }

    private init(scene: RandomScene, isCached: Bool, limits: Bool) {
        (self.scene, self.isCached, self.limits) = (scene, isCached, limits)
    }

    private var world: SimulatedWorld { scene.world }

    // MARK: Paths

    /// Says whose response it is.
    private func item(_ request: TransportRequest) -> StubResponse {
        accept(request, otherwise: limited(request, rarely: true)) {
            if request.headers["If-None-Match"] == "\"v1\"" {
                return .status(304, headers: fields(for: request, ["ETag": "\"v1\""]))
            }
            let policy = world.choose(["max-age=2", "max-age=1, stale-while-revalidate=20", "max-age=60", "no-store"])
            let cached: HTTPHeaders = isCached ? ["Cache-Control": policy, "ETag": "\"v1\""] : [:]
            return .json(#"{"user": \#(session(of: request))}"#, headers: fields(for: request, cached))
        }
    }

    private func order(_ request: TransportRequest) -> StubResponse {
        if request.headers["Expect"] != nil, world.chance(0.5) { return .status(417) }
        return accept(request, otherwise: limited(request, rarely: true)) {
            switch world.number(in: 0...6) {
            case 0: .redirect(to: "/items/1", status: 303)
            case 1: .redirect(to: "/orders/again", status: 307)
            case 2: .status(503)
            case 3: .status(409)
            default: .status(201, headers: fields(for: request))
            }
        }
    }

    /// Has content of its own each time.
    private func film(_ request: TransportRequest) -> StubResponse {
        let number = contents.next()
        let status = world.choose([200, 200, 200, 200, 404, 500])
        let content = "film \(number) "
        let response = StubResponse.pieces(
            "\(content)",
            .delay(world.choose([0, 1, 8])),
            "and its end",
            status: status,
            headers: fields(for: request)
        )
        return world.chance(0.2) ? response.cut(after: world.number(in: 0...12)) : response
    }

    private func redirect(_ request: TransportRequest, to location: String, _ statuses: [Int]) -> StubResponse {
        let status = world.choose(statuses)
        return .status(status, headers: fields(for: request, status < 300 ? [:] : ["Location": location]))
    }

    private func limited(_ request: TransportRequest, rarely: Bool = false) -> StubResponse? {
        guard limits, !rarely || world.chance(0.1) else { return nil }
        let seconds = "\(world.choose([1, 5, 20]))"
        return world.choose([
            .status(429, headers: fields(for: request, ["Retry-After": seconds])),
            .status(503, headers: fields(for: request, ["Retry-After": seconds])),
            .status(429, headers: fields(for: request)),
            .status(200, headers: fields(for: request, ["RateLimit-Remaining": "0", "RateLimit-Reset": seconds])),
        ])
    }

    private func limited(_ request: TransportRequest) -> StubResponse {
        limited(request, rarely: false) ?? .status(200, headers: fields(for: request))
    }

    // MARK: Parts

    private func accept(_ request: TransportRequest, _ response: StubResponse) -> StubResponse {
        accept(request, otherwise: nil) { response }
    }

    private func accept(
        _ request: TransportRequest,
        otherwise other: StubResponse?,
        _ response: () -> StubResponse
    ) -> StubResponse {
        if let other { return other }
        guard scene.users.accepts(request) else { return .status(401, headers: fields(for: request)) }
        return response()
    }

    /// The session to which the server thinks that a request belongs.
    private func session(of request: TransportRequest) -> Int {
        let fields = [request.headers["Authorization"], request.headers["Cookie"]]
        return fields.compactMap { $0 }.compactMap(RandomUsers.session).first ?? 0
    }

    /// Adds a cookie for the request's own user, now and then.
    private func fields(for request: TransportRequest, _ fields: HTTPHeaders = [:]) -> HTTPHeaders {
        guard world.chance(0.4) else { return fields }
        var fields = fields
        let owner = scene.ledger.entry(of: request)?.session ?? scene.users.session
        fields["Set-Cookie"] = "c\(world.number(in: 1...3))=u\(owner)-\(cookies.next()); Path=/"
        return fields
    }
}
