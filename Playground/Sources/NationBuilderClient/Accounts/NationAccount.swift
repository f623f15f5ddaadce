import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// Stands for somebody who has signed in to a nation, and signs out when the nation does not know them any more.
public final class NationAccount: NationBuilderDelegate {
    /// The client, whose delegate is the account.
    public let client: NationBuilder
    private let authenticator: NationAuthenticator
    private let person = Mutex<Person?>(nil)
    private let followers = Mutex<[@Sendable (NationAccount) -> Void]>([])
    private let onSignOut: @Sendable (NationAccount) -> Void

    /// Makes an account.
    ///
    /// - Parameters:
    ///   - client: The client, made with an authenticator.
    ///   - authenticator: What signs in.
    ///   - onSignOut: Called when the nation has refused the key, and the credential is forgotten.
    public init(
        _ client: NationBuilder,
        _ authenticator: NationAuthenticator,
        onSignOut: @escaping @Sendable (NationAccount) -> Void = { _ in }
    ) {
        self.client = client
        self.authenticator = authenticator
        self.onSignOut = onSignOut
        client.delegate = self
    }

    /// Whoever has signed in, or nil.
    public var user: Person? { person.withLock { $0 } }

    /// What the user is called: the username, else the full name, else the e-mail address.
    public var name: String? { user.flatMap { $0.username ?? $0.fullName ?? $0.email } }

    /// Goes on with a credential: finds out who it is, and keeps it under their name.
    public func begin(with credential: OAuthToken) async throws {
        client.apiKey = credential.accessToken.reveal()
        let user = try await client.call(.me()).value
        person.withLock { $0 = user }
        try await authenticator.keep(credential, as: identifier(name: name, id: user?.id))
        tellFollowers()
    }

    /// Goes on as somebody whose credential is stored, and tells whether it is; no server is asked.
    func resume(_ saved: SavedAccount) async throws -> Bool {
        let identifier = identifier(name: saved.name, id: saved.id)
        guard let credential = try await authenticator.resume(identifier) else { return false }
        client.apiKey = credential.accessToken.reveal()
        person.withLock { $0 = Person(id: saved.id, fullName: saved.name) }
        return true
    }

    private func identifier(name: String?, id: UInt?) -> String {
        "\(client.baseURL.host ?? "")-\(name ?? "")-\(id.map(String.init) ?? "")"
    }

    /// Gets the user's picture, which need not be with NationBuilder; the key is not sent there.
    public func avatar() async throws -> Data? {
        guard let address = user?.profileImageUrlSsl else { return nil }
        return try await client.send(SimpleNetworking.get(address).accept("image/*")).data
    }

    /// Forgets the credential.
    ///
    /// - Returns: Whether there was one to forget.
    @discardableResult
    public func signOut() async -> Bool {
        client.apiKey = nil
        person.withLock { $0 = nil }
        let isDiscarded = await authenticator.discardCredential()
        // Of one that is not persistent, there is nothing to discard.
        if await !authenticator.kept.isStored() { tellFollowers() }
        if isDiscarded { onSignOut(self) }
        return isDiscarded
    }

    /// Calls a closure whenever somebody has signed in or out.
    func follow(_ follower: @escaping @Sendable (NationAccount) -> Void) {
        followers.withLock { $0.append(follower) }
    }

    private func tellFollowers() {
        for follower in followers.withLock({ $0 }) { follower(self) }
    }

    /// Signs out on 401, and then says so to nobody else; where there is no credential to forget, the call fails as usual.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool {
        guard response.httpStatus == 401, nation.apiKey != nil else { return true }
        return await !signOut()
    }
}
