import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// An authorization server and its API for simulations: tokens expire, are revoked, and are refreshed once each.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedIssuer: Sendable {
    private struct State {
        /// The number of the token that was issued last.
        var issued = 0
        /// The only token that the API accepts, and when it expires.
        var valid = 0
        var expiresAt: TimeInterval = .infinity
        /// The refresh token that is valid, and the one before.
        var refresh: Int?
        var replaced: Int?
    }

    private let state = Locked(State())
    private let world: SimulatedWorld
    /// Whether each refresh token is valid once.
    private let rotates: Bool
    /// Whether the refresh token before still gets the new token, for a response that was lost.
    private let isLenient: Bool

    init(_ world: SimulatedWorld) {
        self.world = world
        rotates = world.chance(0.8)
        isLenient = world.chance(0.5)
        world.server
            .on(.get, "/items/{id}") { [self] request in isAuthorized(request) ? .json("{}") : .status(401) }
            .on(.get, "/away", .redirect(to: "https://files.example.net/film", status: 302))
            .on(.get, "/film", .text("film"))
            .on(.post, "/token") { [self] in respond(to: $0) }
        for name in ["a token is revoked", "another token is revoked"] where world.chance(0.4) {
            world.sometime(name) { self.state.withLock { $0.valid = -1 } }
        }
        if world.chance(0.2) {
            world.sometime("a refresh token is revoked") {
                self.state.withLock { ($0.refresh, $0.replaced) = (nil, nil) }
            }
        }
    }

    var configuration: OAuthConfiguration {
        var configuration = OAuthConfiguration(clientID: "notes")
        configuration.tokenEndpoint = URL(string: "https://login.example.com/token")
        configuration.now = { [clock = world.clock] in Date(timeIntervalSince1970: 1_700_000_000 + clock.now) }
        return configuration
    }

    /// Issues a token as a sign-in does, which ends all others.
    func signIn() -> OAuthToken {
        let lifetime = lifetime()
        let number = issue(refreshable: true, lifetime)
        return OAuthToken(
            accessToken: Secret("access-\(number)"),
            refreshToken: Secret("refresh-\(number)"),
            receivedAt: configuration.now(),
            expiresIn: lifetime
        )
    }

    private func lifetime() -> TimeInterval { world.choose([2, 10, 90, 3600]) }

    private func issue(refreshable: Bool, _ lifetime: TimeInterval) -> Int {
        let now = world.clock.now
        return state.withLock { state in
            state.issued += 1
            (state.valid, state.expiresAt) = (state.issued, now + lifetime)
            if refreshable { (state.replaced, state.refresh) = (state.refresh, state.issued) }
            return state.issued
        }
    }

    private func isAuthorized(_ request: TransportRequest) -> Bool {
        let (valid, end) = state.withLock { ($0.valid, $0.expiresAt) }
        return request.headers["Authorization"] == "Bearer access-\(valid)" && world.clock.now < end
    }

    private func respond(to request: TransportRequest) -> StubResponse {
        switch world.number(in: 0...19) {
        case 0, 1: return .status(503)
        case 2: return .json(#"{"error": "temporarily_unavailable"}"#, status: 400)
        case 3: return .json(#"{"error": "invalid_grant"}"#, status: 400)
        case 4: return .redirect(to: "https://evil.example.net/token", status: 307)
        default: break
        }
        guard request.form?.value(of: "grant_type") == "refresh_token" else {
            return token(refreshable: world.chance(0.5))
        }
        let sent = request.form?.value(of: "refresh_token")
        let (refresh, replaced) = state.withLock { ($0.refresh, $0.replaced) }
        guard let refresh, sent == "refresh-\(refresh)" || isLenient && sent == replaced.map({ "refresh-\($0)" }) else {
            return .json(#"{"error": "invalid_grant"}"#, status: 400)
        }
        return token(refreshable: rotates)
    }

    private func token(refreshable: Bool) -> StubResponse {
        let lifetime = lifetime()
        let number = issue(refreshable: refreshable, lifetime)
        let refresh = refreshable ? #", "refresh_token": "refresh-\#(number)""# : ""
        return .json(#"{"access_token": "access-\#(number)", "expires_in": \#(Int(lifetime))\#(refresh)}"#)
    }
}
