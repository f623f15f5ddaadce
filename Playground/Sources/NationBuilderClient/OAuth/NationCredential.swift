import SimpleNetworking
import SimpleNetworkingOAuth

/// Keeps an authenticator's credential: in memory, and in a store under a name that may change.
actor NationCredential: CredentialStore {
    private let all: NationCredentialStore
    private(set) var identifier: String
    private(set) var isPersistent = true
    private var token: OAuthToken?
    /// Whether the stored credential is kept when the one in memory is deleted.
    private var isForgettingOnly = false

    init(_ all: NationCredentialStore, identifier: String) {
        self.all = all
        self.identifier = identifier
    }

    func persist(_ isPersistent: Bool) { self.isPersistent = isPersistent }

    /// Changes the name, and returns the one before.
    @discardableResult
    func rename(_ identifier: String) -> String {
        defer { self.identifier = identifier }
        return self.identifier
    }

    func forgetOnly(_ isForgettingOnly: Bool) { self.isForgettingOnly = isForgettingOnly }
    func isStored() async -> Bool { await all.fetch(identifier) != nil }
    func stored(as name: String) async throws -> OAuthToken? { try await all.store(name).load() }

    /// Deletes a credential from under a name, unless another one is there.
    func drop(_ token: OAuthToken, from name: String) async {
        if await all.fetch(name) == token { _ = await all.delete(name) }
    }

    func load() async throws -> OAuthToken? {
        if token == nil, isPersistent { token = try await all.store(identifier).load() }
        return token
    }

    func save(_ token: OAuthToken) async throws {
        self.token = token
        if isPersistent { try await all.store(identifier).save(token) }
    }

    func delete() async throws {
        token = nil
        if !isForgettingOnly { try await all.store(identifier).delete() }
    }
}
