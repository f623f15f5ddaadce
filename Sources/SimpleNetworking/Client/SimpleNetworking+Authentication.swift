extension SimpleNetworking {
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
