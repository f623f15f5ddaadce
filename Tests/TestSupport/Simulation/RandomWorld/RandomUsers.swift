import Foundation
import SimpleNetworking
import SimpleNetworkingCookies
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// The users of a random world, one after another, and how the client knows them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class RandomUsers: Sendable {
    /// How a client authorizes its requests.
    enum Scheme: CaseIterable {
        case none
        /// A header field of the client, refreshed in a handler.
        case field
        case bearer
        /// Basic credentials in a header field of the client.
        case basic
    }

    private struct State {
        /// The number of the session, which ends as a user signs out.
        var session = 1
        /// The number of the token that was issued last.
        var issued = 0
        /// The token that the server accepts in each session.
        var valid: [Int: Int] = [:]
        var refreshes = 0
    }

    private struct WeakScene: Sendable { weak var scene: RandomScene? }

    let scheme: Scheme
    /// The client's authenticator, if it has one.
    let bearer: BearerAuthenticator?
    private let state = Locked(State())
    private let scene: Locked<WeakScene>
    private let world: SimulatedWorld

    init(_ world: SimulatedWorld) {
        self.world = world
        scheme = world.choose([.none, .field, .field, .bearer, .bearer, .bearer, .basic])
        let scene = Locked(WeakScene())
        self.scene = scene
        let refresh = { @Sendable (_: Secret) async throws -> Secret in
            guard let users = scene.withLock(\.scene)?.users else { throw RefreshFailure.notRefreshable }
            return Secret(try await users.refresh())
        }
        let isOld = { @Sendable (token: Secret) in scene.withLock(\.scene)?.users.isOld(token.reveal()) ?? false }
        let expires = world.chance(0.2)
        bearer = scheme == .bearer ? BearerAuthenticator(refresh: refresh, isExpired: expires ? isOld : nil) : nil
    }

    func use(_ scene: RandomScene) { self.scene.withLock { $0.scene = scene } }

    private var client: SimpleNetworking? { scene.withLock(\.scene)?.client }

    var session: Int { state.withLock(\.session) }

    /// The value that `Authorization` has to have now, or nil.
    var currentField: String? {
        if let bearer { return bearer.token.map { "Bearer \($0.reveal())" } }
        return client?.defaultHeaders["Authorization"]
    }

    // MARK: Events

    /// Signs a user in, and with `isOther` another one than the one who is there.
    func signIn(asOther isOther: Bool = false) {
        guard let api = client, scheme != .none else { return }
        if isOther { begin(api) }
        let session = session
        world.note("the user of session \(session) signs in")
        switch scheme {
        case .none: break
        case .field: api.headers["Authorization"] = "Bearer \(issue(session))"
        case .bearer: bearer?.token = Secret(issue(session))
        case .basic: api.authenticate(with: "user-\(session)", password: "pw")
        }
    }

    /// Signs the user out, as an app does: it forgets the credential and the cookies.
    func signOut() {
        guard let api = client else { return }
        begin(api)
        bearer?.token = nil
        world.note("the user has signed out, session \(self.session) begins")
    }

    private func begin(_ api: SimpleNetworking) {
        state.withLock { $0.session += 1 }
        // A client would notice another token only as it asks for it next.
        api.signOut()
        api.configuration.cookieJar?.removeAll()
    }

    /// Lets the server refuse the token that is valid.
    func revoke() { state.withLock { state in state.valid[state.session, default: 0] += 1_000 } }

    // MARK: Tokens

    private func issue(_ session: Int) -> String {
        state.withLock { state in
            state.issued += 1
            state.valid[session] = state.issued
            return "token-\(session)-\(state.issued)"
        }
    }

    /// Whether the client knows that a token has expired, because another one is valid.
    private func isOld(_ token: String) -> Bool {
        guard let session = Self.session(in: token) else { return false }
        return state.withLock { state in !token.hasSuffix("-\(state.valid[session] ?? 0)") }
    }

    /// Fetches a token for the session in which this begins.
    func refresh() async throws -> String {
        let session = session
        await world.pause()
        if world.chance(0.1) { throw RefreshFailure.notRefreshable }
        if world.chance(0.5), let scene = scene.withLock(\.scene), let api = scene.client {
            let request = SimpleNetworking.post("/token")
            scene.ledger.add(.init(isUrgent: true), request)
            _ = try await api.send(request)
        }
        return issue(session)
    }

    /// Refreshes the token in the client's field, unless the user has changed meanwhile.
    func refreshField() async throws {
        let session = session
        let token = try await refresh()
        guard session == self.session else { throw RefreshFailure.signedOut }
        client?.headers["Authorization"] = "Bearer \(token)"
    }

    /// The session of the credential in a field, or in a cookie.
    static func session(in text: String) -> Int? {
        for prefix in ["token-", "user-", "u"] {
            guard let range = text.range(of: prefix) else { continue }
            let digits = text[range.upperBound...].prefix { $0.isNumber }
            if let session = Int(digits) { return session }
        }
        guard text.hasPrefix("Basic "), let data = Data(base64Encoded: String(text.dropFirst("Basic ".count))) else {
            return nil
        }
        return session(in: String(decoding: data, as: UTF8.self))
    }

    /// Whether the server accepts a request's credential.
    func accepts(_ request: TransportRequest) -> Bool {
        switch scheme {
        case .none, .basic: return true
        case .field, .bearer:
            guard let field = request.headers["Authorization"], let session = Self.session(in: field) else {
                return false
            }
            return state.withLock { field == "Bearer token-\(session)-\($0.valid[session] ?? 0)" }
        }
    }
}
