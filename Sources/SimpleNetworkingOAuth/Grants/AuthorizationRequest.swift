/// Asks a user's consent in a browser, and reads what the browser is sent back with: the authorization code grant with
/// PKCE (RFC 6749 §4.1, RFC 7636), or the implicit grant.
///
/// ```text
/// let request = try AuthorizationRequest(configuration)
/// open(request.url)                                        in a browser; later, in the app's URL handler:
/// let grant = try await request.finish(redirect: url)
/// let token = try await TokenClient(configuration).token(for: grant)
/// ```
///
/// Each request has a state and a proof key of its own, and is finished once.
public actor AuthorizationRequest: CustomReflectable {
    /// The address to open in a browser.
    public nonisolated let url: URL
    /// Where the browser comes back to.
    public nonisolated let redirectURI: URL

    nonisolated let expected: ExpectedRedirect
    private let key: ProofKey
    private var isFinished = false

    /// Makes a request for a code.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - redirectURI: Where the browser comes back to. The default is the configuration's.
    /// - Throws: `OAuthError.configuration`, if an address is missing or unfit.
    public init(_ configuration: OAuthConfiguration, redirectURI: URL? = nil) throws(OAuthError) {
        let page = try AuthorizationPage(configuration, redirectURI: redirectURI)
        key = ProofKey()
        expected = ExpectedRedirect(redirectURI: page.redirectURI, state: page.state, issuer: configuration.issuer)
        self.redirectURI = page.redirectURI
        url = try page.url(
            responseType: "code",
            ["code_challenge": key.challenge, "code_challenge_method": "S256"]
        )
    }

    /// Tells whether a redirect is the one that this request waits for: the right address with the right state.
    ///
    /// At a loopback address, where no other sign-in can wait, an error without a state is one too.
    public nonisolated func recognizes(_ redirect: URL) -> Bool { expected.recognizes(redirect) }

    /// Reads the redirect.
    ///
    /// One that is not meant for this request leaves it waiting; one that is, an error too, finishes it. An error without a
    /// state is taken to be meant for it.
    ///
    /// - Parameter redirect: The address the browser was sent back to.
    /// - Returns: What to ask a token with.
    /// - Throws: `OAuthError`: `.alreadyFinished`, `.invalidRedirect`, `.stateMismatch`, `.issuerMismatch`, `.denied`,
    ///   `.refused` or `.missingCode`.
    public func finish(redirect: URL) throws(OAuthError) -> Grant {
        if isFinished { throw .alreadyFinished }
        let answer = try expected.read(redirect)
        isFinished = true
        try answer.check(issuer: expected.issuer)
        let code = try answer.code()
        return .authorizationCode(code, redirectURI: redirectURI, verifier: key.verifier)
    }

    /// Shows nothing: the address holds the state.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
