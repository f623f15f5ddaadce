import SimpleNetworkingSupport

/// Describes an authorization server and the program's registration with it.
///
/// ```text
/// var server = OAuthConfiguration(clientID: "notes", redirectURI: URL(string: "notes:/signed-in"))
/// server.authorizationEndpoint = URL(string: "https://login.example.com/authorize")
/// server.tokenEndpoint = URL(string: "https://login.example.com/token")
/// ```
public struct OAuthConfiguration: Sendable {
    /// Selects how the program authenticates, if it has a secret (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable {
        /// Sends `client_id` and `client_secret` as parameters.
        case parameters
        /// Sends HTTP Basic credentials, with the ID and the secret form-encoded, as RFC 6749 §2.3.1 requires.
        ///
        /// Some servers don't decode the ID and the secret. If such a server rejects an ID or a secret with characters
        /// other than letters, digits, `-`, `.` and `_`, use `.parameters`.
        case basic
    }

    /// Selects where the parameters of a token request are sent.
    public enum ParameterPlacement: Sendable {
        /// Sends the parameters in a form body, as RFC 6749 requires.
        case body
        /// Sends the parameters in the query, without a body, for legacy APIs that read only the query.
        ///
        /// URLs, including the secrets in them, appear in the logs of servers and proxies.
        case query
    }

    /// The client ID that the server issued to the program.
    public var clientID: String
    /// The program's secret.
    ///
    /// The default is nil, because apps and tools on users' machines can't keep a secret.
    public var clientSecret: Secret?
    /// The URL of the authorization page, which the user's browser opens.
    ///
    /// Grants without a browser don't use this URL. The default is nil.
    public var authorizationEndpoint: URL?
    /// The URL that token requests are sent to.
    ///
    /// The implicit grant doesn't use this URL. The default is nil.
    public var tokenEndpoint: URL?
    /// The URL of the endpoint that revokes tokens (RFC 7009).
    ///
    /// ``OAuthSession/signOut()`` sends the token that it deletes to this URL. If nil (the default), tokens are not
    /// revoked.
    public var revocationEndpoint: URL?
    /// The URL of the endpoint that issues device codes (RFC 8628); see ``OAuthSession/signInByDevice(prompting:)``.
    ///
    /// The default is nil.
    public var deviceAuthorizationEndpoint: URL?
    /// The URL to which a session pushes the parameters of authorization requests (RFC 9126).
    ///
    /// The browser's URL then omits these parameters. If nil (the default), the browser's URL contains the parameters.
    public var pushedAuthorizationRequestEndpoint: URL?
    /// The URL that the server redirects the browser to.
    ///
    /// The redirect URI has the app's own scheme, is an https URL that opens the app, or is a loopback URL. The default
    /// is nil, because a loopback listener has its own redirect URI.
    public var redirectURI: URL?
    /// The scopes to request.
    ///
    /// If empty (the default), the server chooses the scopes.
    public var scopes: [String] = []
    /// How the program authenticates.
    ///
    /// The default is `.basic`, which every server must support (RFC 6749 §2.3.1). If the program has no secret, it
    /// sends `client_id` as a parameter.
    public var clientAuthentication = ClientAuthentication.basic
    /// Where the parameters of a token request are sent.
    ///
    /// The default is `.body`.
    public var parameterPlacement = ParameterPlacement.body
    /// Parameters to add to the authorization endpoint's URL, such as `["prompt": "consent"]`.
    ///
    /// OAuth's own parameters take precedence. The default is none.
    public var authorizationParameters: [String: String] = [:]
    /// Parameters to add to each token request, such as `["audience": "…"]`.
    ///
    /// OAuth's own parameters take precedence. `print` and `dump` hide the values, but logs of URLs don't, so put
    /// secrets in a ``Grant``. The default is none.
    public var tokenParameters: [String: String] = [:]
    /// Whether authorization requests contain a random `state`, which the redirect must repeat.
    ///
    /// The default is true. Set this property to false only for a legacy server that doesn't return the state. Without
    /// a state, attackers can forge redirects.
    public var usesState = true
    /// The server's issuer identifier, which the `iss` parameter of redirects must match exactly (RFC 9207).
    ///
    /// A redirect without this issuer comes from another server, which must not get the code, so the sign-in ends with
    /// `OAuthError.issuerMismatch`. Set this property if the program signs in with several servers that send `iss`. If
    /// nil (the default), `iss` is ignored.
    public var issuer: String?
    /// Whether a redirect without `iss` is rejected too; discovery finds out whether the server sends it.
    var isIssuerRequired = true
    /// Whether `http` endpoints on other machines are allowed.
    ///
    /// With `http`, anyone on the network can read secrets. The default is false. Endpoints on 127.0.0.1, ::1 and
    /// localhost are always allowed.
    public var allowsPlainHTTP = false
    /// How many seconds early a token is considered expired; see ``OAuthToken/isExpired(at:skew:)``.
    ///
    /// The default is 60.
    public var expirySkew: TimeInterval = 60
    /// Error codes that mean that the refresh token is no longer valid, such as `[.init(rawValue: "session_gone")]`.
    ///
    /// A refusal with one of these codes, or with one of them as its whole text, deletes the token; see
    /// ``OAuthError/endsSession``. Case doesn't matter. `invalid_grant` and the codes of well-known servers need not be
    /// listed. The default is none.
    public var sessionEndingCodes: Set<OAuthRefusal.Code> = []
    /// Returns the current time, for the expiry of tokens.
    ///
    /// The default is the system's clock.
    package var now: @Sendable () -> Date = { Date() }

    /// Creates a configuration; you can set its other properties afterwards.
    public init(clientID: String, clientSecret: Secret? = nil, redirectURI: URL? = nil) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
    }
}

extension OAuthConfiguration {
    /// Returns an endpoint, or throws if it is missing or insecure.
    func checked(_ endpoint: URL?, _ name: String) throws(OAuthError) -> URL {
        guard let endpoint else { throw .configuration(reason: "there is no \(name) endpoint") }
        let loopback = ["127.0.0.1", "::1", "[::1]", "localhost"]
        let isLocal = loopback.contains(endpoint.host?.lowercased() ?? "")
        switch endpoint.scheme?.lowercased() {
        case "https": return endpoint
        case "http" where isLocal || allowsPlainHTTP: return endpoint
        default: throw .configuration(reason: "the \(name) endpoint is not an https URL")
        }
    }

    var scope: String? {
        let scopes = scopes.flatMap { $0.split(separator: " ") }
        return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }

    /// Whether the program requests an ID token from OpenID Connect.
    var isOpenID: Bool {
        (scope ?? authorizationParameters["scope"] ?? "").split(separator: " ").contains("openid")
    }
}

extension OAuthConfiguration: CustomReflectable {
    /// A mirror for `print`, `dump` and debuggers that omits the values of ``tokenParameters``.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "clientID": clientID, "clientSecret": clientSecret as Any,
                "authorizationEndpoint": authorizationEndpoint as Any, "tokenEndpoint": tokenEndpoint as Any,
                "revocationEndpoint": revocationEndpoint as Any,
                "deviceAuthorizationEndpoint": deviceAuthorizationEndpoint as Any,
                "pushedAuthorizationRequestEndpoint": pushedAuthorizationRequestEndpoint as Any,
                "redirectURI": redirectURI as Any, "scopes": scopes, "clientAuthentication": clientAuthentication,
                "parameterPlacement": parameterPlacement, "authorizationParameters": authorizationParameters,
                "tokenParameters": tokenParameters.mapValues { Secret($0) }, "usesState": usesState,
                "issuer": issuer as Any, "allowsPlainHTTP": allowsPlainHTTP, "expirySkew": expirySkew,
                "sessionEndingCodes": sessionEndingCodes,
            ],
            displayStyle: .struct
        )
    }
}
