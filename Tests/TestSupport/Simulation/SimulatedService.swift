import Foundation
import SimpleNetworking
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// A server for simulations: its tokens expire at any moment, or each refresh revokes the former one while some resources
/// refuse them all; it redirects to another origin and back.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedService: Sendable {
    private struct State {
        /// The number of the token that the server takes.
        var valid = 0
        /// The number of the token that the client was given last.
        var issued = 0
        var refreshes = 0
    }

    private let state = Locked(State())
    private let world: SimulatedWorld
    /// Whether a refresh may be given up while it runs, by its timeout or by signing out, so that another one begins.
    let isImpatient: Bool
    /// Whether each refresh revokes the token before, and nothing else does.
    let isRevoking: Bool

    init(_ world: SimulatedWorld) {
        self.world = world
        isRevoking = world.chance(0.2)
        isImpatient = !isRevoking && world.chance(0.2)
        let isCached = world.chance(0.7)
        world.server
            .on(.get, "/items/{id}") { [self] request in
                guard isAuthorized(request) else { return .status(401) }
                if request.headers["If-None-Match"] == "\"v1\"" { return .status(304) }
                let policy = world.choose(["max-age=2", "max-age=1, stale-while-revalidate=10", "no-store"])
                var headers: HTTPHeaders = isCached ? ["Cache-Control": policy, "ETag": "\"v1\""] : [:]
                headers["Set-Cookie"] = "session=s3cret; Path=/"
                return .json(#"{"name": "Ada"}"#, headers: headers)
            }
            .on(.post, "/orders") { [self] request in .status(isAuthorized(request) ? 201 : 401) }
            .on(.get, "/away", .redirect(to: "https://files.example.net/film", status: 302))
            .on(.get, "/around", .redirect(to: "https://files.example.net/back", status: 307))
            .on(.get, "/back", .redirect(to: "https://api.example.com/items/1", status: 308))
            .on(.get, "/film", .text("film"))
            .on(.get, "/refused/{id}", .status(401))
            .on(.post, "/token") { [self] _ in .text(issue()) }
        if isRevoking {
            // The client's first token may be revoked already.
            if world.chance(0.7) { state.withLock { $0.valid = 1 } }
            return
        }
        if world.chance(0.7) { world.sometime("the token expires") { self.state.withLock { $0.valid += 1 } } }
        if world.chance(0.4) { world.sometime("the token expires again") { self.state.withLock { $0.valid += 1 } } }
    }

    /// The first token that the client has.
    static let firstToken = "token-0"

    /// What a request may ask for.
    var paths: [String] {
        let common = ["/items/1", "/items/1", "/items/2", "/orders", "/away", "/around"]
        return isRevoking ? common + ["/items/2", "/refused/1", "/refused/2", "/refused/3"] : common
    }

    /// Checks how a request has ended: a resource that refuses every token refuses its own requests alone.
    func check(_ outcome: Result<SimpleResponse, SimpleNetworkingError>, of path: String) {
        let isRefusable = path.hasPrefix("/refused") || path == "/around"
        guard isRevoking, !isRefusable, case .failure(.clientError(let response)) = outcome else { return }
        world.expect(response.httpStatus != 401, "\(path) ended with 401")
    }

    private func issue() -> String {
        state.withLock { state in
            if isRevoking { state.valid += 1 }
            return "token-\(state.valid)"
        }
    }

    private func isAuthorized(_ request: TransportRequest) -> Bool {
        request.headers["Authorization"] == "Bearer token-\(state.withLock { $0.valid })"
    }

    /// Fetches a token in place of a refused one; it must be the one that was issued last, or a refresh was lost.
    func refresh(_ refused: String, over api: SimpleNetworking?) async throws -> String {
        let (issued, running) = state.withLock { state in
            state.refreshes += 1
            return (state.issued, state.refreshes)
        }
        defer { state.withLock { $0.refreshes -= 1 } }
        if !isImpatient {
            world.expect(refused == "token-\(issued)", "a refresh was lost: \(refused) after token-\(issued)")
            world.expect(running == 1, "\(running) refreshes run at once")
        }
        await world.pause()
        if world.chance(0.1) { throw RefreshFailure.notRefreshable }
        let text: String?
        if let api, world.chance(0.5) {
            text = try await api.send(SimpleNetworking.post("/token")).text
        } else {
            text = issue()
        }
        guard let text, let number = Int(text.dropFirst("token-".count)) else { throw RefreshFailure.notRefreshable }
        state.withLock { $0.issued = number }
        return text
    }
}
