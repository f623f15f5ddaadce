import SimpleNetworkingSupport

/// Signs every attempt with a user name and a password (RFC 7617).
///
/// A rejection is final, because there is nothing to refresh.
struct BasicAuthenticator: Authenticator {
    private let user: String
    /// The value of the field; nil if the name or the password can't be sent.
    private let value: Secret?

    /// Creates an authenticator.
    ///
    /// This scheme can't send a user name that contains a colon, or a name or password that contains a control
    /// character. Every request then ends with `.authentication`, and nothing is sent.
    init(user: String, password: String) {
        self.user = user
        value = BasicCredential.header(user: user, password: password).map { Secret($0) }
    }

    /// Returns the value of the `Authorization` field.
    ///
    /// - Throws: `SimpleNetworkingError.AuthenticationFailure` if the name or the password can't be sent.
    func credential() async throws -> Secret? {
        guard let value else { throw BasicCredential.failure }
        return value
    }

    /// Sets the `Authorization` field.
    func sign(_ request: inout TransportRequest, with credential: Secret) {
        request.headers["Authorization"] = credential.reveal()
    }

    /// Returns false, because the same name and password would be rejected again.
    func isRefusal(_ response: TransportResponse) -> Bool { false }

    /// Returns the user name.
    func identity(of credential: Secret) -> String { user }

    /// Returns nil, because the user name alone must not give access to responses stored for the name and its password.
    func cacheIdentity(of credential: Secret) -> String? { nil }
}

/// Creates the value of a Basic `Authorization` field.
enum BasicCredential {
    /// Returns the value; nil if the name contains a colon, or if the name or the password contains control characters.
    static func header(user: String, password: String) -> String? {
        guard user.isUserName, !password.hasControls else { return nil }
        return "Basic " + Data((user + ":" + password).utf8).base64EncodedString()
    }

    static let failure = SimpleNetworkingError.AuthenticationFailure(
        reason: "Basic credentials cannot hold a user name with a colon, nor control characters (RFC 7617)"
    )
    static let error = SimpleNetworkingError.authentication(failure)
}

extension String {
    /// Whether this string can be sent as a user name: without a colon or a control character (RFC 7617).
    package var isUserName: Bool { !contains(anyOf: ":") && !hasControls }

    fileprivate var hasControls: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
