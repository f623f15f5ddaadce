extension SimpleNetworking {
    /// Sends new requests over a new session, such as one with other header fields after somebody has signed in.
    ///
    /// Requests in flight finish on the session before, which is then invalidated; a session that was passed to the
    /// client is left alone. Each request goes over one session or the other, whichever thread calls this. With a
    /// `Configuration.transport` of your own only the header fields change.
    ///
    /// - Parameter sessionConfiguration: The settings of the new session, in place of `Configuration.sessionConfiguration`.
    public func replaceSession(configuration sessionConfiguration: URLSessionConfiguration) {
        var configuration = configuration
        configuration.sessionConfiguration = sessionConfiguration
        let session = ClientSession(nil, configuration)
        let former = state.withLock { state in
            state.configuration.sessionConfiguration = sessionConfiguration
            state.configuration.limitTimeout()
            defer { state.session = session }
            return state.session
        }
        // Not under the lock: an engine takes its time to go.
        withExtendedLifetime(former) {}
    }
}
