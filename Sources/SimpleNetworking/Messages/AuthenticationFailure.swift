/// Tells why no credential could be shown to the server.
public struct AuthenticationFailure: Error, Sendable {
    /// What is wrong, in words.
    public let reason: String
    /// What whoever makes or renews credentials has thrown, if it was that.
    public let underlying: (any Error)?
    /// What was asked, if it came that far.
    public let request: RequestHead?
    /// The answer that refused the credential, if one did.
    public let response: SimpleResponse?

    /// Makes a failure.
    public init(
        reason: String,
        underlying: (any Error)? = nil,
        request: RequestHead? = nil,
        response: SimpleResponse? = nil
    ) {
        self.reason = reason
        self.underlying = underlying
        self.request = request
        self.response = response
    }
}

extension AuthenticationFailure {
    /// A credential could not be made or renewed.
    init(renewal error: any Error, request: RequestHead?, response: SimpleResponse?) {
        self.init(
            reason: "there is no valid credential: \(error.localizedDescription)",
            underlying: error,
            request: request,
            response: response
        )
    }
}
