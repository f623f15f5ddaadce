import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// Stands for somebody who has signed in to a nation, and signs out when the nation does not know them any more.
public final class NationAccount: NationBuilderDelegate {
    /// The client, whose delegate is the account.
    public let client: NationBuilder
    private let authenticator: NationAuthenticator
    private let person = Mutex<Person?>(nil)
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
        let id = user?.id.map(String.init) ?? ""
        let identifier = "\(client.baseURL.host ?? "")-\(name ?? "")-\(id)"
        try await authenticator.keep(credential, as: identifier)
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
        if isDiscarded { onSignOut(self) }
        return isDiscarded
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
