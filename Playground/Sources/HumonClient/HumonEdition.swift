import SimpleNetworking

/// Describes how a Humon server expects requests to be signed: with the app's secret, or with the user's token, never with both.
public struct HumonEdition: Sendable {
    /// The header field of the app's secret.
    public let secretField: String
    /// The header field of the user's token.
    public let tokenField: String
    /// Whether events name the device that made them.
    public let sendsDeviceToken: Bool
    private let makeSession: @Sendable () -> URLSessionConfiguration
    private let proof: @Sendable (HumonAccount) -> Secret?

    /// Makes an edition.
    ///
    /// - Parameters:
    ///   - secretField: The header field of the app's secret.
    ///   - tokenField: The header field of the user's token.
    ///   - sendsDeviceToken: Whether events name the device that made them. The default is false.
    ///   - makeSession: Makes the settings of a session, without header fields.
    ///   - proof: Returns the value of `tokenField`; nil while there is no user.
    public init(
        secretField: String,
        tokenField: String,
        sendsDeviceToken: Bool = false,
        makeSession: @escaping @Sendable () -> URLSessionConfiguration,
        proof: @escaping @Sendable (HumonAccount) -> Secret?
    ) {
        self.secretField = secretField
        self.tokenField = tokenField
        self.sendsDeviceToken = sendsDeviceToken
        self.makeSession = makeSession
        self.proof = proof
    }

    /// The edition of 2013: a device is its own user.
    public static let devices = HumonEdition(
        secretField: "X-APP-SECRET",
        tokenField: "X-DEVICE-TOKEN",
        sendsDeviceToken: true,
        makeSession: {
            let configuration = URLSessionConfiguration.default
            configuration.timeoutIntervalForRequest = 30
            configuration.timeoutIntervalForResource = 30
            return configuration
        },
        proof: { $0.userID.map { Secret($0) } }
    )

    /// The edition of 2016: a user has an identifier and a token.
    public static let users = HumonEdition(
        secretField: "tb-app-secret",
        tokenField: "tb-auth-token",
        makeSession: { .ephemeral },
        proof: { $0.isLoggedIn ? $0.token : nil }
    )

    /// Returns the settings of a session whose requests are all signed.
    func sessionConfiguration(for account: HumonAccount, appSecret: Secret) -> URLSessionConfiguration {
        let configuration = makeSession()
        var fields = ["Accept": "application/json", "Content-Type": "application/json"]
        if let proof = proof(account) {
            fields[tokenField] = proof.reveal()
        } else {
            fields[secretField] = appSecret.reveal()
        }
        configuration.httpAdditionalHeaders = fields
        return configuration
    }
}
