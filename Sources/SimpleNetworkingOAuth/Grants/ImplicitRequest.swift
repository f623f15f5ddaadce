/// Asks for a token right in the redirect: the implicit grant (RFC 6749 §4.2), for old APIs that know nothing better.
///
/// The token passes through the browser and its history, and nothing proves who it was made for; RFC 9700 §2.1.2 advises
/// against it. Use ``AuthorizationRequest`` wherever the server allows.
public actor ImplicitRequest: CustomReflectable {
    /// The address to open in a browser.
    public nonisolated let url: URL
    /// Where the browser comes back to.
    public nonisolated let redirectURI: URL

    nonisolated let expected: ExpectedRedirect
    private let now: @Sendable () -> Date
    private var isFinished = false

    /// Makes a request for a token.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - redirectURI: Where the browser comes back to. The default is the configuration's. A loopback address will not
    ///     do: browsers keep the fragment, which holds the token, to themselves.
    /// - Throws: `OAuthError.configuration`, if an address is missing or unfit.
    public init(_ configuration: OAuthConfiguration, redirectURI: URL? = nil) throws(OAuthError) {
        let page = try AuthorizationPage(configuration, redirectURI: redirectURI)
        expected = ExpectedRedirect(redirectURI: page.redirectURI, state: page.state, issuer: configuration.issuer)
        self.redirectURI = page.redirectURI
        now = configuration.now
        url = try page.url(responseType: "token", [:])
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
    /// - Parameter redirect: The address the browser was sent back to, with its fragment.
    /// - Returns: The token.
    /// - Throws: `OAuthError`: `.alreadyFinished`, `.invalidRedirect`, `.stateMismatch`, `.issuerMismatch`, `.denied`,
    ///   `.refused`, `.missingToken` or `.unknownTokenType`.
    public func finish(redirect: URL) throws(OAuthError) -> OAuthToken {
        if isFinished { throw .alreadyFinished }
        let answer = try expected.read(redirect)
        isFinished = true
        try answer.check(issuer: expected.issuer)
        return try answer.token(receivedAt: now())
    }

    /// Shows nothing: the address holds the state.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
