extension SimpleNetworking {
    /// Signs requests, and renews what is refused.
    ///
    /// It may be set at any time, from any thread, and counts for requests that are executed from then on. A subclass whose
    /// renewal needs the client itself sets it after `super.init`, and does not let it keep the client:
    ///
    /// ```swift
    /// super.init(host: "api.example.com")
    /// authenticator = BearerAuthenticator(token: saved) { [weak self] refused in
    ///     guard let self else { throw CancellationError() }
    ///     return try await self.send(Request<NewToken>.post("/token", body: refused.reveal())).value.token
    /// }
    /// ```
    public var authenticator: (any Authenticator)? {
        get { state.withLock { $0.configuration.authenticator } }
        set {
            let former = state.withLock { state in
                defer { state.configuration.authenticator = newValue }
                return state.configuration.authenticator
            }
            // Not under the lock: it may be its end.
            withExtendedLifetime(former) {}
        }
    }

    /// Sends Basic credentials (RFC 7617) with every request to the base URL's origin from now on.
    ///
    /// With another user than before, requests that wait to be sent again end with `.authentication`.
    ///
    /// A user name with a colon cannot be sent that way: every request then ends with `.authentication`.
    public func authenticate(with user: String, password: String) {
        let header = BasicCredential.header(user: user, password: password)
        let switches = state.withLock { state in
            defer { state.user = user }
            state.configuration.defaultHeaders["Authorization"] = header
            if header == nil {
                state.mistake = state.mistake ?? BasicCredential.error
            } else if case .authentication = state.mistake {
                state.mistake = nil
            }
            return state.user != nil && state.user != user
        }
        if switches { flight.leaveAccount() }
    }
}
