import SimpleNetworkingSupport

extension OAuthSession {
    /// Shows a page to the user, for example, in a browser.
    ///
    /// The closure returns the URL that the browser was redirected to, or nil if the app passes that URL to
    /// ``OAuthSession/finishAuthenticating(_:)``. The closure throws `OAuthError.cancelled` if the user closes the
    /// page. The closure runs in its own task. If the sign-in ends in another way, the session cancels this task, so
    /// that the closure can close the page.
    public typealias Presenter = @Sendable (URL) async throws -> URL?

    /// Signs in with the authorization code grant with PKCE, in a browser.
    ///
    /// - Parameter present: A closure that shows the page.
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`, errors from `present` and the store, and `CancellationError`.
    @discardableResult
    public func signIn(presenting present: @escaping Presenter) async throws -> OAuthToken {
        let number = startSignIn()
        let request = try await authorizationRequest()
        try check(number)
        let redirect = try await redirect(from: request.url, presenting: present, waitingFor: request.expected)
        return try await signIn(number, with: try await request.finish(redirect: redirect))
    }

    /// Signs in with the implicit grant, in a browser.
    ///
    /// Use this method only for legacy APIs; see ``ImplicitRequest``.
    ///
    /// - Parameter present: A closure that shows the page.
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`, errors from `present` and the store, and `CancellationError`.
    @discardableResult
    public func signInImplicitly(presenting present: @escaping Presenter) async throws -> OAuthToken {
        let number = startSignIn()
        let request = try ImplicitRequest(configuration)
        let redirect = try await redirect(from: request.url, presenting: present, waitingFor: request.expected)
        let token = try await request.finish(redirect: redirect)
        try check(number)
        try await adopt(token)
        return token
    }

    /// Signs in with a user name and a password.
    ///
    /// Use this method only for legacy APIs; see ``Grant/password(user:password:)``.
    ///
    /// - Parameters:
    ///   - user: The user name.
    ///   - password: The password.
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`, errors from the store, and `CancellationError`.
    @discardableResult
    public func signIn(user: String, password: Secret) async throws -> OAuthToken {
        try await signIn(with: .password(user: user, password: password))
    }

    /// Passes a URL that opened the app to the waiting sign-in.
    ///
    /// You can call this method while the page is still shown.
    ///
    /// Some servers send errors without a state. Such an error ends the waiting sign-in, unless another sign-in is
    /// waiting in the program.
    ///
    /// - Parameter redirect: Any URL.
    /// - Returns: Whether the URL was the expected redirect. If so, the sign-in continues; otherwise, the URL is
    ///   ignored.
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
        found.redirect.finish(.success(redirect))
        return true
    }

    /// Ends the waiting sign-in with `OAuthError.cancelled`.
    ///
    /// Call this method when the user returns to the app without a redirect.
    public func cancelAuthenticating() { endWaiting(with: .cancelled) }

    /// Whether a sign-in is waiting for ``finishAuthenticating(_:)``.
    public var isAuthenticating: Bool { waiting != nil }

    /// Ends the pending sign-ins, and returns the number of the new one.
    @discardableResult func startSignIn() -> Int {
        endWaiting(with: .superseded)
        signIns += 1
        return signIns
    }

    /// - Throws: `OAuthError.superseded` if the user has signed out since a sign-in was started, or another one was.
    func check(_ number: Int) throws(OAuthError) { if number != signIns { throw .superseded } }

    /// Finishes a sign-in that was started earlier.
    ///
    /// - Throws: `OAuthError.superseded` if the user has signed out since, or another sign-in was started.
    func signIn(_ number: Int, with grant: Grant) async throws -> OAuthToken {
        try await finishSignIn(number) { session in try await session.client.token(for: grant) }
    }

    /// Stores the token of a sign-in that was started earlier.
    ///
    /// - Throws: `OAuthError.superseded` if the user has signed out since, or another sign-in was started.
    @discardableResult func finishSignIn(
        _ number: Int,
        with token: @escaping @Sendable (OAuthSession) async throws -> OAuthToken
    ) async throws -> OAuthToken {
        try await alone { session in
            try await session.check(number)
            let token = try await token(session)
            try await session.check(number)
            try await session.begin(with: token)
            return token
        }
    }

    /// Creates the request for a sign-in, and pushes it if the server supports that.
    func authorizationRequest(redirectURI: URL? = nil) async throws -> AuthorizationRequest {
        if configuration.pushedAuthorizationRequestEndpoint == nil {
            return try AuthorizationRequest(configuration, redirectURI: redirectURI)
        }
        return try await .pushed(by: client, redirectURI: redirectURI)
    }

    func endWaiting(with error: OAuthError) {
        waiting?.redirect.finish(.failure(error))
        waiting = nil
    }

    /// Shows a page and waits for the first result.
    ///
    /// The presenter's URL or error, ``finishAuthenticating(_:)``, ``cancelAuthenticating()``, another sign-in, or the
    /// end of the caller's task ends the wait. The presenter itself isn't awaited, because it may show its page
    /// forever.
    private func redirect(
        from url: URL,
        presenting present: @escaping Presenter,
        waitingFor expected: ExpectedRedirect
    ) async throws -> URL {
        let redirect = FirstResult<URL>()
        let id = UUID()
        waiting = WaitingSignIn(id: id, expected: expected, redirect: redirect)
        await PendingSignIns.shared.begin(id, of: self)
        let presentation = Task.start(on: client.scheduler) {
            do {
                if let url = try await present(url) { redirect.finish(.success(url)) }
            } catch {
                redirect.finish(.failure(error))
            }
        }
        let result: Result<URL, any Error>
        do {
            result = .success(try await redirect.value())
        } catch {
            result = .failure(error)
        }
        presentation.cancel()
        if waiting?.id == id { waiting = nil }
        await PendingSignIns.shared.end(id, of: self)
        return try result.get()
    }
}

/// A sign-in that waits for the user in a browser.
struct WaitingSignIn {
    let id: UUID
    let expected: ExpectedRedirect
    let redirect: FirstResult<URL>
}

/// Tracks the waiting sign-ins of all sessions: an error without a state may belong to any of them.
actor PendingSignIns {
    static let shared = PendingSignIns()

    private var sessions: [ObjectIdentifier: UUID] = [:]

    /// Adds a sign-in; a session has one at a time.
    func begin(_ id: UUID, of session: OAuthSession) { sessions[ObjectIdentifier(session)] = id }

    func end(_ id: UUID, of session: OAuthSession) {
        if sessions[ObjectIdentifier(session)] == id { sessions[ObjectIdentifier(session)] = nil }
    }

    /// Returns whether this sign-in is the only one.
    func isAlone(_ id: UUID) -> Bool { Array(sessions.values) == [id] }
}
