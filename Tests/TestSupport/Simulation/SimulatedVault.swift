import Foundation
import SimpleNetworkingCore
import SimpleNetworkingOAuth
import SimpleNetworkingSupport
import SimpleNetworkingTesting

/// Follows each token in a simulation, as a store, as a transport and as a monitor, and reports what must not be.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class SimulatedVault: Sendable {
    private struct State {
        var stored: OAuthToken?
        /// The token that has to be there at the end: the last one that was received or adopted, and not deleted.
        var held: Int?
        /// The newest token that was ever stored.
        var newest = 0
        /// The refresh tokens that have a successor.
        var spent: Set<String> = []
        var refreshes = 0
        /// The token that a response brings.
        var coming: Int?
        /// Whether the token was deleted, and no user has signed in since.
        var isSignedOut = false
        /// The tokens of users who sign in.
        var adopted: Set<Int> = []
        /// Whether the user has begun to sign out, and whether the server does not accept the token any more.
        var isLeaving = false
        var isRefused = false
        /// Whether nothing fails any more.
        var isOver = false
    }

    private let state: Locked<State>
    private let world: SimulatedWorld
    private let turns = MemoryCredentialStore()
    /// Whether the store fails now and then.
    let isUnreliable: Bool
    /// Whether the user may sign out and in, and no token comes without them.
    let hasUser: Bool

    init(_ world: SimulatedWorld, _ token: OAuthToken?, hasUser: Bool) {
        (self.world, self.hasUser) = (world, hasUser)
        isUnreliable = world.chance(0.2)
        state = Locked(State(stored: token, held: token?.number))
    }

    /// Puts a client into the world, and looks at its requests.
    func configure(_ configuration: inout SimpleNetworking.Configuration) {
        world.configure(&configuration)
        configuration.transport = configuration.transport.map { WatchedTransport(vault: self, transport: $0) }
        configuration.eventMonitors.append(self)
    }

    /// Notes the token that a user signs in with.
    func adopts(_ token: OAuthToken) { state.withLock { _ = $0.adopted.insert(token.number) } }

    /// Notes that the user signs out.
    func leaves() { state.withLock { $0.isLeaving = true } }

    /// Checks what is left, when nothing can happen any more.
    func verify(_ sessions: [OAuthSession]) async {
        let (held, stored, isSignedOut, refreshes) = state.withLock {
            $0.isOver = true
            return ($0.held, $0.stored?.number, $0.isSignedOut, $0.refreshes)
        }
        world.expect(refreshes == 0, "\(refreshes) refreshes are left")
        world.expect(!isSignedOut || stored == nil, "there is token \(stored ?? 0) after signing out")
        guard isUnreliable else {
            return world.expect(stored == held, "token \(held ?? 0) was lost, the store has \(stored ?? 0)")
        }
        // What could not be stored is in memory.
        guard sessions.count == 1 else { return }
        let kept = try? await sessions.first?.storedToken()
        world.expect(kept?.number == held, "token \(held ?? 0) was lost, the session has \(kept?.number ?? 0)")
    }

    private func failNowAndThen() throws {
        if isUnreliable, !state.withLock(\.isOver), world.chance(0.2) {
            throw CredentialStoreError.corrupt(path: "/simulated")
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SimulatedVault: CredentialStore {
    func load() async throws -> OAuthToken? {
        await world.pause()
        try failNowAndThen()
        return state.withLock(\.stored)
    }

    func save(_ token: OAuthToken) async throws {
        let (isLate, isPoorer) = state.withLock { state in
            (state.held, state.newest) = (token.number, max(state.newest, token.number))
            if state.adopted.contains(token.number) { state.isSignedOut = false }
            return (state.isSignedOut, state.stored?.refreshToken != nil && token.refreshToken == nil)
        }
        world.expect(!isPoorer, "token \(token.number) was stored without its refresh token")
        world.expect(!isLate, "token \(token.number) was stored after signing out")
        await world.pause()
        try failNowAndThen()
        state.withLock { state in
            if let old = state.stored?.refreshToken, old != token.refreshToken { state.spent.insert(old.reveal()) }
            state.stored = token
        }
        await world.pause()
    }

    func delete() async throws {
        await world.pause()
        try failNowAndThen()
        let hasReason = state.withLock { state in
            (state.stored, state.held, state.isSignedOut) = (nil, nil, hasUser)
            defer { state.isRefused = false }
            return state.isRefused || state.isLeaving
        }
        world.expect(hasReason, "the token was deleted without a reason")
    }

    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await turns.exclusively(work)
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SimulatedVault: EventMonitor {
    /// Notes that a token has arrived, which must not get lost from now on.
    func observe(_ event: RequestEvent, of request: ObservedRequest) {
        guard case .ended(let ending) = event.kind, request.description.contains("/token") else { return }
        state.withLock { state in
            // An event may come after the token was stored, and even deleted.
            if case .success = ending, let number = state.coming, number > state.newest { state.held = number }
            state.coming = nil
        }
        // The server may have sent a token that is lost with it.
        if case .failure(.cancelled) = ending { world.expect(false, "a token request was cancelled") }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SimulatedVault {
    /// Looks at a request, and returns whether it refreshes a token.
    fileprivate func look(at request: TransportRequest) -> Bool {
        let name = "\(request.method) \(request.url.host ?? "")\(request.url.path)"
        let text = request.url.absoluteString + (request.text ?? "")
        let isTokenRequest = name == "POST login.example.com/token"
        world.expect(isTokenRequest || !text.contains("refresh-"), "\(name) has a refresh token")
        let isSigned = request.headers["Authorization"]?.contains("access-") == true
        world.expect(!isSigned || request.url.host == "api.example.com", "\(name) has an access token")
        world.expect(!text.contains("access-"), "\(name) shows an access token")
        let (isSignedOut, hasReturned) = state.withLock { ($0.isSignedOut, !$0.adopted.isEmpty) }
        let mustBeUnsigned = isSignedOut && !hasReturned && request.url.path == "/items/after"
        world.expect(!isSigned || !mustBeUnsigned, "\(name) is signed after signing out")
        guard isTokenRequest, let sent = request.form?.value(of: "refresh_token") else { return false }
        world.note("the session sends \(sent)")
        world.expect(!isSignedOut, "\(sent) was sent after signing out")
        let (isSpent, running) = state.withLock { state in
            state.refreshes += 1
            return (state.spent.contains(sent), state.refreshes)
        }
        world.expect(!isSpent, "\(sent) was sent again, though its successor was stored")
        world.expect(running == 1, "\(running) refreshes are in flight")
        return true
    }

    fileprivate func note(_ response: TransportResponse) {
        guard let token = try? JSONDecoder().decode([String: TokenMember].self, from: response.data) else { return }
        let number = token["access_token"]?.text.flatMap { Int($0.dropFirst("access-".count)) }
        state.withLock { state in
            state.coming = number
            if token["error"]?.text == "invalid_grant" { state.isRefused = true }
        }
    }

    fileprivate func endRefresh() { state.withLock { $0.refreshes -= 1 } }
}

/// Sends what the vault has looked at.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct WatchedTransport: Transport {
    let vault: SimulatedVault
    let transport: any Transport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard vault.look(at: request) else { return try await respond(to: request) }
        let hasEnded = Locked(false)
        let end = { @Sendable [vault] in
            let isFirst = hasEnded.withLock { hasEnded in
                defer { hasEnded = true }
                return !hasEnded
            }
            if isFirst { vault.endRefresh() }
        }
        defer { end() }
        // After its deadline, it is over before the network has noticed.
        return try await withTaskCancellationHandler {
            try await respond(to: request)
        } onCancel: {
            end()
        }
    }

    private func respond(to request: TransportRequest) async throws -> TransportResponse {
        let response = try await transport.send(request)
        if request.url.host == "login.example.com" { vault.note(response) }
        return response
    }
}

/// A member of a token response.
private struct TokenMember: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}

extension OAuthToken {
    /// The number of a simulated token.
    fileprivate var number: Int { Int(accessToken.reveal().dropFirst("access-".count)) ?? 0 }
}
