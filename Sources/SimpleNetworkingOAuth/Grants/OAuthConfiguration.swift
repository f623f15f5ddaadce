/// Describes an authorization server, and how this program is registered with it.
///
/// ```text
/// var server = OAuthConfiguration(clientID: "notes", redirectURI: URL(string: "notes:/signed-in"))
/// server.authorizationEndpoint = URL(string: "https://login.example.com/authorize")
/// server.tokenEndpoint = URL(string: "https://login.example.com/token")
/// ```
public struct OAuthConfiguration: Sendable {
    /// Says how the program proves who it is, if it has a secret (RFC 6749 §2.3.1).
    public enum ClientAuthentication: Sendable {
        /// With `client_id` and `client_secret` among the parameters.
        case parameters
        /// With HTTP Basic, name and secret form-encoded first, as RFC 6749 §2.3.1 wants it.
        ///
        /// Some servers don't decode them. If one of those refuses a name or a secret that has characters other than
        /// letters, digits, `-`, `.` and `_`, use `.parameters`.
        case basic
    }

    /// Says where the parameters of a token request go.
    public enum ParameterPlacement: Sendable {
        /// Into a form body, as RFC 6749 wants it.
        case body
        /// Into the address's query, without a body: for old APIs that read nothing else. Addresses end up in the logs of
        /// servers and proxies, secrets with them.
        case query
    }

    /// The program's name with the server.
    public var clientID: String
    /// The program's secret, if it can keep one.
    ///
    /// The default is nil: an app or a tool that users have in their hands keeps none.
    public var clientSecret: Secret?
    /// Where the user's browser is sent to.
    ///
    /// The default is nil: no grant needs the user.
    public var authorizationEndpoint: URL?
    /// Where tokens are had from.
    ///
    /// The default is nil: only the implicit grant needs none.
    public var tokenEndpoint: URL?
    /// Where the server sends the browser back to: the app's own scheme, an https address that opens the app, or a
    /// loopback address.
    ///
    /// The default is nil: a loopback listener brings its own.
    public var redirectURI: URL?
    /// What the token is to be good for.
    ///
    /// The default is empty: whatever the server gives.
    public var scopes: [String] = []
    /// How the program proves who it is.
    ///
    /// The default is `.basic`, which every server has to support (RFC 6749 §2.3.1). Without a secret only `client_id` is
    /// sent, among the parameters.
    public var clientAuthentication = ClientAuthentication.basic
    /// Where the parameters of a token request go.
    ///
    /// The default is `.body`.
    public var parameterPlacement = ParameterPlacement.body
    /// Parameters to add to the authorization endpoint's address, such as `["prompt": "consent"]`.
    ///
    /// Those of OAuth itself win over them. The default is none.
    public var authorizationParameters: [String: String] = [:]
    /// Parameters to add to each token request, such as `["audience": "…"]`.
    ///
    /// Those of OAuth itself win over them. They are no secrets; a ``Grant`` takes such parameters. The default is none.
    public var tokenParameters: [String: String] = [:]
    /// Whether a random `state` is sent and its return demanded.
    ///
    /// The default is true. Turn it off only for an old server that does not send it back: anyone can then slip a redirect
    /// of their own to the program.
    public var usesState = true
    /// The server's issuer identifier, which redirects must carry as `iss` (RFC 9207), letter by letter.
    ///
    /// A redirect with another one, or without one, then ends the sign-in with `OAuthError.issuerMismatch`: it comes from
    /// another server, which must not see the code. Set it if the program signs in with several servers that send `iss`.
    /// The default is nil: `iss` is ignored.
    public var issuer: String?
    /// Whether endpoints may be `http` addresses of other machines, on which everyone on the way reads the secrets.
    ///
    /// The default is false; 127.0.0.1, ::1 and localhost are allowed anyway.
    public var allowsPlainHTTP = false
    /// Seconds before its end from which a token counts as expired; see ``OAuthToken/isExpired(at:skew:)``.
    ///
    /// The default is 60.
    public var expirySkew: TimeInterval = 60
    /// Tells the time, by which tokens expire.
    ///
    /// The default is the system's clock.
    public var now: @Sendable () -> Date = { Date() }

    /// Makes a description, whose other properties are set afterwards.
    public init(clientID: String, clientSecret: Secret? = nil, redirectURI: URL? = nil) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirectURI
    }
}

extension OAuthConfiguration {
    /// Gives an endpoint that may be used.
    func checked(_ endpoint: URL?, _ name: String) throws(OAuthError) -> URL {
        guard let endpoint else { throw .configuration(reason: "there is no \(name) endpoint") }
        let loopback = ["127.0.0.1", "::1", "[::1]", "localhost"]
        let isLocal = loopback.contains(endpoint.host?.lowercased() ?? "")
        switch endpoint.scheme?.lowercased() {
        case "https": return endpoint
        case "http" where isLocal || allowsPlainHTTP: return endpoint
        default: throw .configuration(reason: "the \(name) endpoint is no https address")
        }
    }

    var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }
}
