extension OAuthSession {
    /// Shows the user a page, such as in a browser.
    ///
    /// It returns the address the browser was sent back to, or nil if that will come by
    /// ``OAuthSession/finishAuthenticating(_:)``; it throws `OAuthError.cancelled` if the user gave up.
    public typealias Presenter = @Sendable (URL) async throws -> URL?

    /// Signs in by the authorization code grant with PKCE, in a browser.
    ///
    /// - Parameter present: Shows the page.
    /// - Returns: The token, which is in the store.
    /// - Throws: `OAuthError`, what `present` and the store throw, and `CancellationError`.
    @discardableResult
    public func signIn(presenting present: Presenter) async throws -> OAuthToken {
        let request = try AuthorizationRequest(configuration)
        let redirect = try await redirect(from: request.url, presenting: present, waitingFor: request.expected)
        return try await signIn(with: try await request.finish(redirect: redirect))
    }

    /// Signs in by the implicit grant, in a browser; only for old APIs, see ``ImplicitRequest``.
    ///
    /// - Parameter present: Shows the page.
    /// - Returns: The token, which is in the store.
    /// - Throws: `OAuthError`, what `present` and the store throw, and `CancellationError`.
    @discardableResult
    public func signInImplicitly(presenting present: Presenter) async throws -> OAuthToken {
        let request = try ImplicitRequest(configuration)
        let redirect = try await redirect(from: request.url, presenting: present, waitingFor: request.expected)
        let token = try await request.finish(redirect: redirect)
        try await adopt(token)
        return token
    }

    /// Signs in by the authorization code grant with PKCE, in a browser that is sent back to this machine; for tools.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect's address. The default is `/callback`.
    ///   - port: Its port, for servers that want it registered. The default is 0: any that is free.
    ///   - seconds: How long to wait for the user. The default is 300.
    ///   - open: Opens the page, or prints its address; returns without waiting for the user.
    /// - Returns: The token, which is in the store.
    /// - Throws: `OAuthError`, what `open` and the store throw, and `CancellationError`.
    @discardableResult
    public func signInByLoopback(
        path: String = "/callback",
        port: UInt16 = 0,
        within seconds: TimeInterval = 300,
        opening open: @Sendable (URL) async throws -> Void
    ) async throws -> OAuthToken {
        let listener = try LoopbackListener(path: path, port: port)
        let request = try AuthorizationRequest(configuration, redirectURI: listener.redirectURI)
        try await open(request.url)
        let redirect = try await listener.redirect(within: seconds) { request.recognizes($0) }
        return try await signIn(with: try await request.finish(redirect: redirect))
    }

    /// Signs in with a user's name and password; only for old APIs, see ``Grant/password(user:password:)``.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The user's password.
    /// - Returns: The token, which is in the store.
    /// - Throws: `OAuthError`, what the store throws, and `CancellationError`.
    @discardableResult
    public func signIn(user: String, password: Secret) async throws -> OAuthToken {
        try await signIn(with: .password(user: user, password: password))
    }

    /// Hands over an address that the app was opened with.
    ///
    /// An error without a state, as some servers send it, ends the sign-in that waits if no other one of the program does.
    ///
    /// - Parameter redirect: Any address.
    /// - Returns: Whether a sign-in waited for it; that goes on, with a token or an error. For any other address nothing
    ///   happens.
    @discardableResult
    public func finishAuthenticating(_ redirect: URL) async -> Bool {
        guard let found = waiting else { return false }
        if !found.expected.recognizes(redirect) {
            guard found.expected.mayBeRefused(by: redirect), await PendingSignIns.shared.isAlone(found.id) else {
                return false
            }
        }
        guard waiting?.id == found.id else { return false }
        waiting = nil
        found.redirects.yield(redirect)
        found.redirects.finish()
        return true
    }

    /// Ends the sign-in that waits for ``finishAuthenticating(_:)``, with `OAuthError.cancelled`.
    ///
    /// For when the user came back to the app without a redirect.
    public func cancelAuthenticating() { endWaiting(with: .cancelled) }

    /// Tells whether a sign-in waits for ``finishAuthenticating(_:)``.
    public var isAuthenticating: Bool { waiting != nil }

    private func endWaiting(with error: OAuthError) {
        waiting?.redirects.finish(throwing: error)
        waiting = nil
    }

    /// Shows a page and waits for what comes first: what the presenter returns, what the app's handler is given, the end.
    private func redirect(
        from url: URL,
        presenting present: Presenter,
        waitingFor expected: ExpectedRedirect
    ) async throws -> URL {
        endWaiting(with: .superseded)
        let (redirects, continuation) = AsyncThrowingStream<URL, any Error>.makeStream()
        let id = UUID()
        waiting = WaitingSignIn(id: id, expected: expected, redirects: continuation)
        await PendingSignIns.shared.begin(id, of: self)
        let result: Result<URL, any Error>
        do {
            result = .success(try await redirect(from: url, presenting: present, id, redirects))
        } catch {
            result = .failure(error)
        }
        if waiting?.id == id { waiting = nil }
        await PendingSignIns.shared.end(id, of: self)
        return try result.get()
    }

    private func redirect(
        from url: URL,
        presenting present: Presenter,
        _ id: UUID,
        _ redirects: AsyncThrowingStream<URL, any Error>
    ) async throws -> URL {
        // A later sign-in, or a redirect that came by the app's handler, has gone before.
        if let redirect = try await present(url), waiting?.id == id { return redirect }
        return try await first(of: redirects)
    }

    private func first(of redirects: AsyncThrowingStream<URL, any Error>) async throws -> URL {
        for try await redirect in redirects { return redirect }
        throw CancellationError()
    }
}
