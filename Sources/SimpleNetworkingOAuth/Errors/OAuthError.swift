/// Tells why signing in or renewing a token failed; no text of it shows a secret.
public enum OAuthError: Error, Sendable {
    /// The configuration lacks what the grant needs, or contradicts itself. Nothing was sent.
    case configuration(reason: String)
    /// The server refused, in words of its own (RFC 6749 §4.1.2.1 and §5.2).
    case refused(OAuthRefusal)
    /// The user, or the server for them, said no: `access_denied`.
    case denied(OAuthRefusal)
    /// The redirect does not carry the state that was sent: it belongs to another sign-in, or somebody made it up.
    case stateMismatch
    /// The redirect does not carry the configuration's ``OAuthConfiguration/issuer``: it comes from another server (RFC 9207).
    case issuerMismatch
    /// The address is not the redirect that was waited for, or says something twice.
    case invalidRedirect(reason: String)
    /// The redirect carries neither a code nor an error.
    case missingCode
    /// The answer or the redirect carries neither an access token nor an error.
    case missingToken
    /// The token is of a type other than `Bearer`, which requests can't be signed with (RFC 6749 §7.1).
    case unknownTokenType(String)
    /// The redirect was used before: a code counts once.
    case alreadyFinished
    /// The answer is none that a token endpoint gives: no JSON, or a status without a meaning here.
    case invalidAnswer(status: Int)
    /// The token endpoint gave no usable answer: no network, a timeout, a status 429 or 5xx. Trying again later may help.
    case unavailable(SimpleNetworkingError)
    /// The token cannot be renewed: there is no refresh token, and no grant that gets another one without the user.
    case noRefreshToken
    /// There is no token: nobody has signed in, or somebody has signed out.
    case notSignedIn
    /// The user came back without finishing.
    case cancelled
    /// Another sign-in was begun before this one was finished.
    case superseded
    /// No redirect came in time, in seconds.
    case timedOut(TimeInterval)
    /// The redirect cannot be received on this machine.
    case cannotListen(reason: String)
}

extension OAuthError {
    /// Tells whether the refresh token is worth nothing any more, so that only the user can help: `invalid_grant`.
    ///
    /// Everything else may pass, or be mended in the configuration, and costs nobody their sign-in: `invalid_client` and
    /// `unauthorized_client` say that the program is not known, not that the user is gone.
    public var endsSession: Bool {
        if case .refused(let refusal) = self { refusal.code == .invalidGrant } else { false }
    }

    /// Tells whether the same may work later.
    public var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let refusal), .denied(let refusal):
            refusal.code == .temporarilyUnavailable || refusal.code == .serverError
        default: false
        }
    }

    /// The server's words, if it had any.
    public var refusal: OAuthRefusal? {
        switch self {
        case .refused(let refusal), .denied(let refusal): refusal
        default: nil
        }
    }
}
