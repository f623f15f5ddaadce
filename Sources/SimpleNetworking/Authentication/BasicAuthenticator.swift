/// Signs every attempt with a user's name and password (RFC 7617).
///
/// A refusal is final: there is nothing to renew.
public struct BasicAuthenticator: Authenticator {
    private let user: String
    private let value: Secret

    /// Makes an authenticator.
    ///
    /// - Throws: `SimpleNetworkingError.authentication` for a user name with a colon, and for control characters.
    public init(user: String, password: String) throws(SimpleNetworkingError) {
        guard let value = BasicCredential.header(user: user, password: password) else { throw BasicCredential.error }
        self.user = user
        self.value = Secret(value)
    }

    /// The value of the `Authorization` field.
    public func credential() async throws -> Secret? { value }

    /// Sets the `Authorization` field.
    public func sign(_ request: inout TransportRequest, with credential: Secret) {
        request.headers["Authorization"] = credential.reveal()
    }

    /// Never: the same name and password would be refused again.
    public func isRefusal(_ response: TransportResponse) -> Bool { false }

    /// The user's name.
    public func identity(of credential: Secret) -> String { user }

    /// None: whoever only knows the name must not get what is stored for whoever knows the password.
    public func cacheIdentity(of credential: Secret) -> String? { nil }
}
