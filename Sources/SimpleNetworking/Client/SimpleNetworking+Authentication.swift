extension SimpleNetworking {
    /// Sends Basic credentials (RFC 7617) with every request to the base URL's origin from now on.
    ///
    /// A user name with a colon cannot be sent that way: every request then ends with `.authentication`.
    public func authenticate(with user: String, password: String) {
        let header = BasicCredential.header(user: user, password: password)
        state.withLock { state in
            state.configuration.defaultHeaders["Authorization"] = header
            if header == nil {
                state.mistake = state.mistake ?? BasicCredential.error
            } else if case .authentication = state.mistake {
                state.mistake = nil
            }
        }
    }
}
