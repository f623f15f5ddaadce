import SimpleNetworkingSupport

extension OAuthSession {
    /// Signs in with the authorization code grant with PKCE, in a browser that is redirected to this machine.
    ///
    /// Use this method in command-line tools. Any web page and any program on the machine can open the redirect URI, so
    /// the method waits until a redirect contains the right state. Some servers send errors without a state. The method
    /// throws such an error only after the timeout.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect URI. The default is `/callback`.
    ///   - port: The port of the redirect URI, for servers that require a registered port. The default is 0, which
    ///     selects any free port.
    ///   - seconds: How long to wait for the user, in seconds. The default is 300.
    ///   - open: A closure that opens the page or prints its URL, and returns without waiting for the user.
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`, errors from `open` and the store, and `CancellationError`.
    @discardableResult
    public func signInByLoopback(
        path: String = "/callback",
        port: UInt16 = 0,
        within seconds: TimeInterval = 300,
        opening open: @Sendable (URL) async throws -> Void
    ) async throws -> OAuthToken {
        // Before the sign-in is started, because an earlier one may have the port.
        let listener = try LoopbackListener(path: path, port: port)
        let number = startSignIn()
        let request = try await authorizationRequest(redirectURI: listener.redirectURI)
        try check(number)
        try await open(request.url)
        let redirect = try await listener.redirect(
            within: seconds,
            orAtTheEnd: { request.expected.mayBeRefused(by: $0) },
            accepting: { request.recognizes($0) }
        )
        return try await signIn(number, with: try await request.finish(redirect: redirect))
    }
}
