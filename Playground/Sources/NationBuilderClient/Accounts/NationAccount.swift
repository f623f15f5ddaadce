import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// An account of a nation, which signs out when the nation rejects its key.
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
    ///   - onSignOut: Called when the nation has rejected the key and the credential is deleted.
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

    /// The user who has signed in, or nil.
    public var user: Person? { person.withLock { $0 } }

    /// The user's name: the username, else the full name, else the e-mail address.
    public var name: String? { user.flatMap { $0.username ?? $0.fullName ?? $0.email } }

    /// Begins with a credential: gets its user, and stores it under the user's name.
    public func begin(with credential: OAuthToken) async throws {
        client.apiKey = credential.accessToken.reveal()
        let user = try await client.call(.me()).value
        person.withLock { $0 = user }
        try await authenticator.keep(credential, as: identifier(name: name, id: user?.id))
        tellFollowers()
    }

    /// Resumes with a stored credential, and returns whether there is one; it sends no request.
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

    /// Gets the user's picture; if it is on another host, the key is not sent there.
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
        // A credential that is not persistent is not in the store.
        if await !authenticator.kept.isStored() { tellFollowers() }
        if isDiscarded { onSignOut(self) }
        return isDiscarded
    }

    /// Calls a closure after each sign-in and sign-out.
    func follow(_ follower: @escaping @Sendable (NationAccount) -> Void) {
        followers.withLock { $0.append(follower) }
    }

    private func tellFollowers() {
        for follower in followers.withLock({ $0 }) { follower(self) }
    }

    /// Signs out on 401, and then stops the call; if there is no credential to delete, the call fails as usual.
    public func nation(
        _ nation: NationBuilder,
        shouldHandleHTTPError error: NationError,
        _ response: SimpleResponse
    ) async -> Bool {
        guard response.httpStatus == 401, nation.apiKey != nil else { return true }
        return await !signOut()
    }
}
