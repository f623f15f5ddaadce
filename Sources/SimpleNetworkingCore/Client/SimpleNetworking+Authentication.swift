import SimpleNetworkingSupport

extension SimpleNetworking {
    /// Sets the authenticator that signs requests, or removes it if you pass nil.
    ///
    /// The authenticator replaces the one in the configuration. The change applies to requests that are executed
    /// afterward. If the refresh needs the client itself, call this method after `super.init`, and capture `self`
    /// weakly:
    ///
    /// ```swift
    /// super.init(host: "api.example.com")
    /// authenticate(with: BearerAuthenticator(token: saved) { [weak self] refused in
    ///     guard let self else { throw CancellationError() }
    ///     return Secret(try await self.send(Request<String>.post("/token", body: refused.reveal())).value)
    /// })
    /// ```
    public func authenticate(with authenticator: (any Authenticator)?) {
        change { $0.configuration.authenticator = authenticator }
    }

    /// Sends Basic credentials (RFC 7617) with all later requests to the base URL's origin and trusted origins.
    ///
    /// If the user differs from the previous user, requests that are waiting to be resent end with `.authentication`.
    ///
    /// Basic authentication can't transmit a user name that contains a colon, or a user name or password that contains
    /// control characters. After you pass such a name or password, every request ends with `.authentication`.
    public func authenticate(with user: String, password: String) {
        let header = BasicCredential.header(user: user, password: password)
        let former = change { state in
            let isAnother = state.user != nil && state.user != user
            state.user = user
            state.configuration.defaultHeaders["Authorization"] = header
            if header == nil {
                state.mistake = state.mistake ?? BasicCredential.error
            } else if case .authentication = state.mistake {
                state.mistake = nil
            }
            return isAnother ? state.refresh.signOut() : nil
        }
        former?.signOut()
    }

    /// Refreshes the credential once for all rejected requests, and then sends the request again.
    ///
    /// ```swift
    /// request.on(httpStatus: 401) { request, _ in
    ///     self.reauthenticate(request) { done in
    ///         self.get("/auth") {
    ///             $0.on(success: { self.token = $0.json?["token"] as? String; done() }).on(error: { done($0) })
    ///         }
    ///     }
    ///     return false
    /// }
    /// ```
    ///
    /// A request that was sent before the last refresh is sent again immediately. All other requests wait for the
    /// current refresh, or start a new one. If the refresh fails, all waiting requests end with `.authentication`, and
    /// a later request may start another refresh.
    ///
    /// If the server rejects a request that carries the refreshed credential, the request ends with the server's
    /// response, unless a newer credential is available or a refresh is running. A request that the refresh itself
    /// makes also ends with the server's response. A resource that rejects refreshed credentials causes at most one
    /// refresh per minute. You can cancel each waiting request separately.
    ///
    /// Pass the request that the status handler received, and return false from that handler. If the request has to
    /// start a refresh, this method calls `refresh` before it returns. When the refresh ends, call the completion
    /// handler that `refresh` received. The time limit for the refresh is `Configuration.refreshTimeout` seconds.
    ///
    /// To sign in before a request is sent, call this method in `execute(request:)` instead of `super`. All such requests
    /// share one sign-in, and are sent after it:
    ///
    /// ```swift
    /// override func execute(request: SimpleRequest) {
    ///     if headers["Authorization"] != nil { return super.execute(request: request) }
    ///     reauthenticate(request, refreshing: { try await self.signIn() })
    /// }
    /// ```
    ///
    /// Requests that the sign-in makes with this client are sent at once.
    public func reauthenticate(_ request: SimpleRequest, _ refresh: (RefreshCompletion) -> Void) {
        let isHeldBack = request.execution?.isSubmitted == true
        // The sign-in itself makes the request.
        if isHeldBack, sharedRefresh.isOwn { return request.startAttempt(on: self) }
        guard let execution = request.execution,
            let cause = isHeldBack
                ? sharedRefresh.signInCause : execution.refusal(of: request).map(SharedRefresh.Cause.refusal)
        else { return request.endWithLastResponse() }
        let configuration = configuration
        let step = sharedRefresh.recover(
            from: cause,
            clock: configuration.clock,
            limit: configuration.refreshTimeout,
            waiter: { isHeldBack ? request.start(after: $0, on: self) : request.resend(after: $0) },
            refresh: refresh
        )
        guard let step else { return request.endWithLastResponse() }
        execution.record(.refresh(step))
    }

    /// Refreshes the credential with the given async function.
    ///
    /// If the function throws an error, all waiting requests end. For details, see `reauthenticate(_:_:)`.
    public func reauthenticate(
        _ request: SimpleRequest,
        refreshing refresh: @escaping @Sendable () async throws -> Void
    ) {
        let scheduler = configuration.scheduler
        reauthenticate(request) { $0.refresh(on: scheduler, refresh) }
    }

    /// Removes all credentials from the client's header fields, and ends every request that is waiting to be resent.
    ///
    /// Waiting requests end with `.authentication` and `RefreshFailure.signedOut`, so that no waiting request is sent
    /// with the next user's credentials. Requests in flight still receive their responses. If the client has an
    /// authenticator, sign out of it separately.
    public func signOut() {
        let former = change { state in
            let secretNames = Array(state.configuration.secretHeaders)
            _ = state.configuration.defaultHeaders.removeCredentials(alsoNamed: secretNames)
            state.user = nil
            return state.refresh.signOut()
        }
        former.signOut()
    }
}

extension SimpleNetworking.Configuration {
    /// Adds the given user name and password to every attempt (RFC 7617), replacing the authenticator.
    ///
    /// ```swift
    /// let api = SimpleNetworking(host: "api.example.com") {
    ///     $0.authenticate(with: "ada", password: "open sesame")
    /// }
    /// ```
    ///
    /// If the server rejects the user name and password, the rejection is final, because there is nothing to refresh.
    ///
    /// Basic authentication can't transmit a user name that contains a colon, or a user name or password that contains
    /// control characters. After you pass such a name or password, every request ends with `.authentication`, and
    /// nothing is sent.
    public mutating func authenticate(with user: String, password: String) {
        authenticator = BasicAuthenticator(user: user, password: password)
    }
}
