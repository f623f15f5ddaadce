/// Describes why signing in or refreshing a token failed; its descriptions contain no secrets.
public enum OAuthError: Error, Sendable {
    /// The configuration lacks values that the grant needs, or contradicts itself; nothing was sent.
    case configuration(reason: String)
    /// The server refused the request, for the given reason (RFC 6749 §4.1.2.1 and §5.2).
    case refused(OAuthRefusal)
    /// The user, or the server for the user, denied access: `access_denied`.
    case denied(OAuthRefusal)
    /// The redirect lacks the state that was sent: it belongs to another sign-in or is forged.
    case stateMismatch
    /// The redirect lacks the configuration's ``OAuthConfiguration/issuer``: it comes from another server (RFC 9207).
    case issuerMismatch
    /// The URL is not the expected redirect, or repeats a parameter.
    case invalidRedirect(reason: String)
    /// The redirect contains neither a code nor an error.
    case missingCode
    /// The response or the redirect contains neither an access token nor an error.
    case missingToken
    /// The token's type is not `Bearer`, so the token can't sign requests (RFC 6749 §7.1).
    case unknownTokenType(String)
    /// The redirect was already used: a code is valid once.
    case alreadyFinished
    /// The response isn't valid in OAuth: it isn't JSON or has an unexpected status.
    case invalidResponse(status: Int)
    /// No usable response was received, due to the network, a timeout, or a status 429 or 5xx; try again later.
    case unavailable(SimpleNetworkingError)
    /// The token can't be refreshed: there is no refresh token and no grant that works without the user.
    case noRefreshToken
    /// There is no token: the user has not signed in or has signed out.
    case notSignedIn
    /// The user closed the sign-in page.
    case cancelled
    /// Another sign-in was started before this one finished, or the user signed out.
    case superseded
    /// The user did not finish signing in within this many seconds.
    case timedOut(TimeInterval)
    /// The server's metadata can't be used; see
    /// ``OAuthConfiguration/discover(_:clientID:clientSecret:redirectURI:configure:)``.
    case invalidMetadata(reason: String)
    /// This server didn't issue the ID token to this program for this sign-in; see ``IDToken``.
    case invalidIDToken(reason: String)
    /// This machine can't receive the redirect.
    case cannotListen(reason: String)
}

extension OAuthError {
    /// Whether the refresh token is no longer valid, so that the user must sign in again: `invalid_grant`.
    ///
    /// Other errors keep the user signed in, because they may pass or can be fixed in the configuration. For example,
    /// `invalid_client` and `unauthorized_client` concern the program, not the user.
    public var endsSession: Bool {
        if case .refused(let refusal) = self { refusal.code == .invalidGrant } else { false }
    }

    /// Whether the same operation may succeed later.
    public var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let refusal), .denied(let refusal):
            refusal.code == .temporarilyUnavailable || refusal.code == .serverError
        default: false
        }
    }

    /// The server's refusal, if any.
    public var refusal: OAuthRefusal? {
        switch self {
        case .refused(let refusal), .denied(let refusal): refusal
        default: nil
        }
    }
}

extension OAuthError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// A description of what went wrong and what to do, in a sentence or two.
    public var errorDescription: String? { description }

    /// A description of what went wrong and what to do, in a sentence or two.
    public var description: String {
        switch self {
        case .configuration(let reason): "OAuth is not set up for this: \(reason)."
        case .refused(let refusal): "The authorization server refused: \(refusal)."
        case .denied(let refusal): "Access was denied: \(refusal)."
        case .stateMismatch: "The redirect belongs to another sign-in. Start again."
        case .issuerMismatch: "The redirect comes from another authorization server than the configured one."
        case .invalidRedirect(let reason): "The redirect cannot be used: \(reason)."
        case .missingCode: "The redirect holds no authorization code."
        case .missingToken: "The token response holds no access token."
        case .unknownTokenType(let type):
            "The token response holds a token of type “\(type)”. Only bearer tokens can be used."
        case .alreadyFinished: "The redirect was used before. Start again."
        case .invalidResponse(let status):
            "The authorization server responded with status \(status), and not as OAuth demands."
        case .unavailable(let error): "The authorization server is not available. \(error)"
        case .noRefreshToken: "The token cannot be refreshed without a refresh token. Sign in again."
        case .notSignedIn: "There is no token. Sign in first."
        case .cancelled: "The user left the sign-in page."
        case .superseded: "Another sign-in was started before this one finished, or the user signed out."
        case .timedOut(let seconds): "The user did not sign in within \(String(format: "%.0f", seconds)) s."
        case .invalidMetadata(let reason): "The authorization server's metadata cannot be used: \(reason)."
        case .invalidIDToken(let reason): "The ID token is not valid: \(reason)."
        case .cannotListen(let reason): "The redirect cannot be received: \(reason)."
        }
    }

    /// An empty mirror, because a network error can contain header fields as they were sent.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
