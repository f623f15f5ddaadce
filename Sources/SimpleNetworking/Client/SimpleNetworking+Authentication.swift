extension SimpleNetworking {
    /// Signs requests with an authenticator from now on, in place of the configuration's; nil signs none.
    ///
    /// Applies to requests that are executed afterwards. If the refresh needs the client itself, call it after
    /// `super.init`, and capture `self` weakly:
    ///
    /// ```swift
    /// super.init(host: "api.example.com")
    /// authenticate(with: BearerAuthenticator(token: saved) { [weak self] refused in
    ///     guard let self else { throw CancellationError() }
    ///     return Secret(try await self.send(Request<String>.post("/token", body: refused.reveal())).value)
    /// })
    /// ```
    public func authenticate(with authenticator: (any Authenticator)?) {
        let former = state.withLock { state in
            defer { state.configuration.authenticator = authenticator }
            return state
        }
        // Outside the lock: this may release the former authenticator.
        withExtendedLifetime(former) {}
    }

    /// Sends Basic credentials (RFC 7617) with every request to the base URL's origin from now on.
    ///
    /// If the user differs from the previous one, requests that wait to be sent again end with `.authentication`. A
    /// user name with a colon can't be sent that way: every request then ends with `.authentication`.
    public func authenticate(with user: String, password: String) {
        let header = BasicCredential.header(user: user, password: password)
        let former = state.withLock { state in
            let isAnother = state.user != nil && state.user != user
            state.user = user
            state.configuration.defaultHeaders["Authorization"] = header
            if header == nil {
                state.mistake = state.mistake ?? BasicCredential.error
            } else if case .authentication = state.mistake {
                state.mistake = nil
            }
            return isAnother ? state.flight.changeAccount() : nil
        }
        former?.signOut()
    }
}
