import SimpleNetworking
import SimpleNetworkingOAuth

/// Keeps an authenticator's credential: in memory, and in a store under a name that may change.
actor NationCredential: CredentialStore {
    private let all: NationCredentialStore
    private(set) var identifier: String
    private(set) var isPersistent = true
    private var token: OAuthToken?
    /// Whether what is forgotten stays in the store.
    private var isForgettingOnly = false

    init(_ all: NationCredentialStore, identifier: String) {
        self.all = all
        self.identifier = identifier
    }

    func persist(_ isPersistent: Bool) { self.isPersistent = isPersistent }
    func rename(_ identifier: String) { self.identifier = identifier }
    func forgetOnly(_ isForgettingOnly: Bool) { self.isForgettingOnly = isForgettingOnly }
    func isStored() async -> Bool { await all.fetch(identifier) != nil }

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
