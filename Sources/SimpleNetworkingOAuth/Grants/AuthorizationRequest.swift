import SimpleNetworkingSupport

/// Sends the user to a consent page in a browser, and reads the redirect.
///
/// The request uses the authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636).
///
/// ```text
/// let request = try AuthorizationRequest(configuration)
/// open(request.url)                                        in a browser; later, in the app's URL handler:
/// let grant = try await request.finish(redirect: url)
/// let token = try await session.signIn(with: grant)
/// ```
///
/// Each request has its own state and proof key, and can be finished only once.
public actor AuthorizationRequest: CustomReflectable {
    /// The URL to open in a browser.
    public nonisolated let url: URL
    /// The URL that the browser is redirected to.
    public nonisolated let redirectURI: URL

    nonisolated let expected: ExpectedRedirect
    private let key: ProofKey
    private let nonce: Secret?
    private var isFinished = false

    /// Creates a request for an authorization code.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the server and the program.
    ///   - redirectURI: The URL that the browser is redirected to. The default is the configuration's redirect URI.
    /// - Throws: `OAuthError.configuration` if a URL is missing or unsuitable.
    public init(_ configuration: OAuthConfiguration, redirectURI: URL? = nil) throws(OAuthError) {
        let draft = try Draft(configuration, redirectURI: redirectURI)
        self.init(draft, url: try draft.page.url(draft.parameters))
    }

    /// Creates a request by pushing its parameters to the server, so that the browser's URL omits them (RFC 9126).
    static func pushed(by client: TokenClient, redirectURI: URL?) async throws -> AuthorizationRequest {
        let draft = try Draft(client.configuration, redirectURI: redirectURI)
        let reference = try await client.push(draft.parameters)
        let parameters = ["client_id": client.configuration.clientID, "request_uri": reference]
        return AuthorizationRequest(draft, url: try draft.page.url(parameters))
    }

    private init(_ draft: Draft, url: URL) {
        key = draft.key
        nonce = draft.parameters["nonce"].map { Secret($0) }
        expected = draft.page.expectedRedirect
        redirectURI = draft.page.redirectURI
        self.url = url
    }

    /// The parts that are known before the URL.
    private struct Draft {
        let page: AuthorizationPage
        let key = ProofKey()
        let parameters: [String: String]

        init(_ configuration: OAuthConfiguration, redirectURI: URL?) throws(OAuthError) {
            page = try AuthorizationPage(configuration, redirectURI: redirectURI)
            let proof = ["code_challenge": key.challenge, "code_challenge_method": "S256"]
            var parameters = page.parameters(responseType: "code", proof)
            // A program may check its own nonce.
            if configuration.isOpenID, parameters["nonce"] == nil { parameters["nonce"] = Base64URL.random() }
            self.parameters = parameters
        }
    }

    /// Returns whether a URL is this request's redirect URI with the expected state.
    public nonisolated func recognizes(_ redirect: URL) -> Bool { expected.recognizes(redirect) }

    /// Reads the redirect.
    ///
    /// If the redirect belongs to another request, this method throws an error, and the request keeps waiting. A
    /// redirect that belongs to this request finishes it, even if the redirect contains an error. An error without a
    /// state is treated as belonging to this request.
    ///
    /// - Parameter redirect: The URL that the browser was redirected to.
    /// - Returns: The grant with which to request a token.
    /// - Throws: `OAuthError`: `.alreadyFinished`, `.invalidRedirect`, `.stateMismatch`, `.issuerMismatch`, `.denied`,
    ///   `.refused` or `.missingCode`.
    public func finish(redirect: URL) throws(OAuthError) -> Grant {
        if isFinished { throw .alreadyFinished }
        let response = try expected.read(redirect)
        isFinished = true
        try expected.checkIssuer(of: response)
        let code = try response.code()
        return .authorizationCode(code, redirectURI: redirectURI, verifier: key.verifier, nonce: nonce)
    }

    /// An empty mirror, because the URL contains the state.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

/// Proves that the program that redeems a code also requested it: PKCE with S256 (RFC 7636).
struct ProofKey: Sendable {
    /// The verifier, which is sent with the code.
    let verifier: Secret

    /// Creates a key from 32 random bytes.
    init() { verifier = Secret(Base64URL.random()) }

    init(verifier: Secret) { self.verifier = verifier }

    /// The challenge, which is sent with the request for a code.
    var challenge: String { Base64URL.encode(SHA256.digest(verifier.reveal().utf8)) }
}

/// Creates the URL of the page on which a user gives consent (RFC 6749 §4.1.1 and §4.2.1).
struct AuthorizationPage {
    let redirectURI: URL
    let state: Secret?
    private let configuration: OAuthConfiguration
    private let endpoint: URL

    init(_ configuration: OAuthConfiguration, redirectURI: URL?) throws(OAuthError) {
        endpoint = try configuration.checked(configuration.authorizationEndpoint, "authorization")
        guard let redirectURI = redirectURI ?? configuration.redirectURI else {
            throw .configuration(reason: "there is no redirect URI")
        }
        guard redirectURI.scheme != nil, redirectURI.fragment == nil else {
            throw .configuration(reason: "the redirect URI is not absolute, or has a fragment")
        }
        self.configuration = configuration
        self.redirectURI = redirectURI
        state = configuration.usesState ? Secret(Base64URL.random()) : nil
    }

    var expectedRedirect: ExpectedRedirect {
        ExpectedRedirect(
            redirectURI: redirectURI,
            state: state,
            issuer: configuration.issuer,
            isIssuerRequired: configuration.isIssuerRequired
        )
    }

    /// Returns all parameters of a request, including the configuration's.
    func parameters(responseType: String, _ parameters: [String: String]) -> [String: String] {
        var parameters = configuration.authorizationParameters.merging(parameters) { $1 }
        parameters["response_type"] = responseType
        parameters["client_id"] = configuration.clientID
        parameters["redirect_uri"] = redirectURI.absoluteString
        parameters["scope"] = configuration.scope ?? parameters["scope"]
        parameters["state"] = state?.reveal() ?? parameters["state"]
        return parameters
    }

    /// Returns the endpoint with its own query, followed by the parameters sorted by name.
    func url(_ parameters: [String: String]) throws(OAuthError) -> URL {
        let query = parameters.sorted { $0.key < $1.key }.map {
            FormURLEncoding.percentEncode($0.key) + "=" + FormURLEncoding.percentEncode($0.value)
        }
        var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true)
        let own = components?.percentEncodedQuery.map { [$0] } ?? []
        components?.percentEncodedQuery = (own + query).joined(separator: "&")
        components?.fragment = nil
        guard let url = components?.url else {
            throw .configuration(reason: "the authorization endpoint is not a valid URL")
        }
        return url
    }
}
