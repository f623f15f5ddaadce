/// Signs every attempt with a user name and a password (RFC 7617).
///
/// A refusal is final: there is nothing to refresh.
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

    /// Returns the value of the `Authorization` field.
    public func credential() async throws -> Secret? { value }

    /// Sets the `Authorization` field.
    public func sign(_ request: inout TransportRequest, with credential: Secret) {
        request.headers["Authorization"] = credential.reveal()
    }

    /// Returns false: the same name and password would be refused again.
    public func isRefusal(_ response: TransportResponse) -> Bool { false }

    /// Returns the user name.
    public func identity(of credential: Secret) -> String { user }

    /// Returns nil: knowing the name alone must not give access to what is stored for the name and its password.
    public func cacheIdentity(of credential: Secret) -> String? { nil }
}

/// Makes the value of a Basic `Authorization` field.
enum BasicCredential {
    /// Returns nil for a user name with a colon, and for control characters.
    static func header(user: String, password: String) -> String? {
        let text = user + ":" + password
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if user.contains(":") || hasControl { return nil }
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    static let error = SimpleNetworkingError.authentication(
        .init(reason: "Basic credentials cannot hold a user name with a colon, nor control characters (RFC 7617)")
    )
}
