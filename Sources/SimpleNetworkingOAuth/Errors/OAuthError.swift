import SimpleNetworkingSupport

/// Describes why a sign-in or the refresh of a token failed.
///
/// The descriptions of these errors contain no secrets.
public enum OAuthError: Error, Sendable {
    /// The configuration is contradictory or lacks values that the grant needs; no request was sent.
    case configuration(reason: String)
    /// The server refused the request, for the given reason (RFC 6749 §4.1.2.1 and §5.2).
    case refused(OAuthRefusal)
    /// The user or the server denied access (`access_denied`).
    case denied(OAuthRefusal)
    /// The redirect doesn't contain the state that was sent, so it belongs to another sign-in or is forged.
    case stateMismatch
    /// The redirect doesn't contain the configuration's ``OAuthConfiguration/issuer`` (RFC 9207).
    ///
    /// Such a redirect comes from another server.
    case issuerMismatch
    /// The URL is not the expected redirect, or repeats a parameter.
    case invalidRedirect(reason: String)
    /// The redirect contains neither a code nor an error.
    case missingCode
    /// The response or the redirect contains neither an access token nor an error.
    case missingToken
    /// The token's type is not `Bearer`, so the token can't sign requests (RFC 6749 §7.1).
    case unknownTokenType(String)
    /// The redirect was already used. An authorization code is valid only once.
    case alreadyFinished
    /// The response is not a valid OAuth response: it isn't JSON or has an unexpected status.
    case invalidResponse(status: Int)
    /// No usable response was received because of a network failure, a timeout, or a status of 408, 425, 429 or 5xx.
    ///
    /// Try again later.
    case unavailable(SimpleNetworkingError)
    /// The token can't be refreshed, because no refresh token and no unattended grant is available.
    case noRefreshToken
    /// No token is available, because the user has not signed in or has signed out.
    case notSignedIn
    /// The user closed the sign-in page.
    case cancelled
    /// The user signed out, or another sign-in was started before this sign-in finished.
    case superseded
    /// The user did not finish signing in within this many seconds.
    case timedOut(TimeInterval)
    /// The server's metadata can't be used, or names a URL that leads from `https` to `http`; see
    /// ``OAuthConfiguration/discover(_:clientID:clientSecret:redirectURI:configure:)``.
    case invalidMetadata(reason: String)
    /// The ID token is missing, or this server didn't issue it to this program for this sign-in; see ``IDToken``.
    case invalidIDToken(reason: String)
    /// This machine can't receive the redirect.
    case cannotListen(reason: String)
}

extension OAuthError {
    /// Whether the refresh token is no longer valid, so that the user must sign in again.
    ///
    /// This is so after `invalid_grant`, after the codes that GitHub, Supabase, Microsoft, Amazon Cognito and other
    /// servers send instead, such as `bad_refresh_token`, and after the configuration's
    /// ``OAuthConfiguration/sessionEndingCodes``. After any other error, the user stays signed in, because the error may
    /// be temporary or can be fixed in the configuration. For example, `invalid_client` and `unauthorized_client`
    /// concern the program, not the user.
    public var endsSession: Bool { refusal?.endsSession ?? false }

    /// Whether the same operation may succeed later.
    public var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let refusal), .denied(let refusal):
            refusal.code == .temporarilyUnavailable || refusal.code == .serverError
        default: false
        }
    }

    /// Whether the server has refused the request, so that sending it again would not help.
    var isRefusal: Bool {
        switch self {
        case .refused(let refusal), .denied(let refusal): endsSession || !isTransient && refusal.code != .slowDown
        case .invalidResponse(let status): (400..<500).contains(status)
        default: false
        }
    }

    /// Returns the error for a refusal.
    static func refusal(_ refusal: OAuthRefusal) -> OAuthError {
        refusal.code == .accessDenied ? .denied(refusal) : .refused(refusal)
    }

    /// The server's refusal, if any.
    public var refusal: OAuthRefusal? {
        switch self {
        case .refused(let refusal), .denied(let refusal): refusal
        default: nil
        }
    }
}

extension OAuthError: TransientError {}

extension OAuthError: CredentialFailure {
    package var kind: SimpleNetworkingError.AuthenticationFailure.Kind {
        switch self {
        case .notSignedIn, .noRefreshToken: .signInNeeded
        case .superseded: .signedOut
        default: isRefusal ? .refused : .refreshFailed
        }
    }
}

extension OAuthError: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// A description of the error and how to resolve it, in one or two sentences.
    public var errorDescription: String? { description }

    /// A description of the error and how to resolve it, in one or two sentences.
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
        case .timedOut(let seconds): "The user did not sign in within \(Int(saturating: seconds.rounded())) s."
        case .invalidMetadata(let reason): "The authorization server's metadata cannot be used: \(reason)."
        case .invalidIDToken(let reason): "The ID token is not valid: \(reason)."
        case .cannotListen(let reason): "The redirect cannot be received: \(reason)."
        }
    }

    /// An empty mirror, because a network error can contain header fields with secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
