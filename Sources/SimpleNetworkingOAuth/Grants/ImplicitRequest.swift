import SimpleNetworkingSupport

/// Gets a token directly from the redirect with the implicit grant (RFC 6749 §4.2), for legacy APIs.
///
/// The token passes through the browser and its history, and is not bound to this program, so RFC 9700 §2.1.2 advises
/// against this grant. Use ``AuthorizationRequest`` wherever the server supports it.
public actor ImplicitRequest: CustomReflectable {
    /// The URL to open in a browser.
    public nonisolated let url: URL
    /// The URL that the browser is redirected to.
    public nonisolated let redirectURI: URL

    nonisolated let expected: ExpectedRedirect
    private let now: @Sendable () -> Date
    private var isFinished = false

    /// Creates a request for a token.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the server and the program.
    ///   - redirectURI: The URL that the browser is redirected to. The default is the configuration's redirect URI.
    ///     Loopback URLs don't work, because browsers don't send the fragment, which contains the token.
    /// - Throws: `OAuthError.configuration` if a URL is missing or unsuitable.
    public init(_ configuration: OAuthConfiguration, redirectURI: URL? = nil) throws(OAuthError) {
        let page = try AuthorizationPage(configuration, redirectURI: redirectURI)
        expected = page.expectedRedirect
        self.redirectURI = page.redirectURI
        now = configuration.now
        url = try page.url(page.parameters(responseType: "token", [:]))
    }

    /// Returns whether a URL is the redirect of this request; see ``AuthorizationRequest/recognizes(_:)``.
    public nonisolated func recognizes(_ redirect: URL) -> Bool { expected.recognizes(redirect) }

    /// Reads the redirect.
    ///
    /// If the redirect belongs to another request, this method throws an error, and the request keeps waiting. A
    /// redirect that belongs to this request finishes it, even if the redirect contains an error. An error without a
    /// state is treated as belonging to this request.
    ///
    /// - Parameter redirect: The URL that the browser was redirected to, with its fragment.
    /// - Returns: The token.
    /// - Throws: `OAuthError`: `.alreadyFinished`, `.invalidRedirect`, `.stateMismatch`, `.issuerMismatch`, `.denied`,
    ///   `.refused`, `.missingToken` or `.unknownTokenType`.
    public func finish(redirect: URL) throws(OAuthError) -> OAuthToken {
        if isFinished { throw .alreadyFinished }
        let response = try expected.read(redirect)
        isFinished = true
        try expected.checkIssuer(of: response)
        return try response.token(receivedAt: now())
    }

    /// An empty mirror, because the URL contains the state.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
