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
        /// Sends HTTP Basic, with the ID and the secret form-encoded, as RFC 6749 §2.3.1 requires.
        ///
        /// Some servers don't decode them. If such a server rejects an ID or a secret with characters other than
        /// letters, digits, `-`, `.` and `_`, use `.parameters`.
        case basic
    }

    /// Selects where the parameters of a token request are sent.
    public enum ParameterPlacement: Sendable {
        /// Sends the parameters in a form body, as RFC 6749 requires.
        case body
        /// Sends the parameters in the query, without a body, for legacy APIs that read nothing else.
        ///
        /// URLs, including the secrets in them, appear in the logs of servers and proxies.
        case query
    }

    /// The program's ID with the server.
    public var clientID: String
    /// The program's secret.
    ///
    /// The default is nil, because apps and tools on users' machines can't keep a secret.
    public var clientSecret: Secret?
    /// The page that the user's browser opens.
    ///
    /// The default is nil, for grants without a browser.
    public var authorizationEndpoint: URL?
    /// The URL that token requests are sent to.
    ///
    /// The default is nil, for the implicit grant.
    public var tokenEndpoint: URL?
    /// The URL that revokes tokens (RFC 7009); ``OAuthSession/signOut()`` sends it the token that it deletes.
    ///
    /// The default is nil: tokens are not revoked.
    public var revocationEndpoint: URL?
    /// The URL that issues codes for devices (RFC 8628); see ``OAuthSession/signInByDevice(prompting:)``.
    ///
    /// The default is nil.
    public var deviceAuthorizationEndpoint: URL?
    /// The URL to which a session pushes authorization requests, so that the browser's URL omits them (RFC 9126).
    ///
    /// The default is nil: the parameters are part of the browser's URL.
    public var pushedAuthorizationRequestEndpoint: URL?
    /// The URL that the server redirects the browser to.
    ///
    /// It has the app's own scheme, is an https URL that opens the app, or is a loopback URL. The default is nil,
    /// because a loopback listener has its own.
    public var redirectURI: URL?
    /// The scopes to request.
    ///
    /// The default is empty: the server chooses.
    public var scopes: [String] = []
    /// How the program authenticates.
    ///
    /// The default is `.basic`, which every server must support (RFC 6749 §2.3.1). Without a secret, `client_id` is
    /// sent as a parameter.
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
    /// Whether a random `state` is sent and required in the redirect.
    ///
    /// The default is true. Set it to false only for a legacy server that doesn't return the state: attackers can then
    /// forge redirects.
    public var usesState = true
    /// The server's issuer identifier, which the `iss` parameter of redirects must match exactly (RFC 9207).
    ///
    /// Other redirects come from another server, which must not get the code, and end the sign-in with
    /// `OAuthError.issuerMismatch`. Set it if the program signs in with several servers that send `iss`. The default
    /// is nil: `iss` is ignored.
    public var issuer: String?
    /// Whether a redirect without `iss` is rejected too; discovery finds out whether the server sends it.
    var isIssuerRequired = true
    /// Whether `http` endpoints on other machines are allowed, even though anyone on the network can read secrets.
    ///
    /// The default is false; 127.0.0.1, ::1 and localhost are always allowed.
    public var allowsPlainHTTP = false
    /// How many seconds early a token is considered expired; see ``OAuthToken/isExpired(at:skew:)``.
    ///
    /// The default is 60.
    public var expirySkew: TimeInterval = 60
    /// Returns the current time, for the expiry of tokens.
    ///
    /// The default is the system's clock.
    package var now: @Sendable () -> Date = { Date() }

    /// Creates a configuration; set its other properties afterwards.
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

    var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

    /// Whether the program requests an ID token from OpenID Connect.
    var isOpenID: Bool {
        (scope ?? authorizationParameters["scope"] ?? "").split(separator: " ").contains("openid")
    }
}

extension OAuthConfiguration: CustomReflectable {
    /// The configuration for `print`, `dump` and debuggers, without the values of ``tokenParameters``.
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
            ],
            displayStyle: .struct
        )
    }
}
