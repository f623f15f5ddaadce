/// Holds what a client sends its requests over: the engine, and the header fields that belong to it.
struct ClientSession: Sendable {
    let transport: any Transport
    let headers: HTTPHeaders
    /// The fields that Foundation's session adds to every request by itself.
    let headersOfSession: HTTPHeaders

    /// Uses a caller's session as it is, or makes an engine of the client's own.
    init(_ session: URLSession?, _ configuration: SimpleNetworking.Configuration) {
        let settings = session?.configuration ?? configuration.sessionConfiguration
        var headers = HTTPHeaders(additional: settings.httpAdditionalHeaders ?? [:])
        if let transport = configuration.transport {
            self.transport = transport
        } else if let session {
            transport = URLSessionTransport(session: session, logger: configuration.logger)
        } else {
            let copied = (configuration.sessionConfiguration.copy() as? URLSessionConfiguration) ?? .ephemeral
            // They are added to each request instead: a session would send credentials among them to every origin.
            copied.httpAdditionalHeaders = nil
            transport = PlatformTransport.make(
                for: copied,
                delegate: configuration.sessionDelegate,
                logger: configuration.logger
            )
        }
        headersOfSession = (transport as? URLSessionTransport)?.sessionHeaders ?? [:]
        if configuration.transport != nil { headers.merge(headersOfSession) }
        self.headers = headers
    }
}

extension SimpleNetworking {
    /// Sends new requests over a new session, for example with other header fields after sign-in.
    ///
    /// Requests in flight finish on the previous session, which is then invalidated; a session that was passed to the
    /// client is left alone. Each request uses one session or the other, on whichever thread you call this. With a
    /// `Configuration.transport` of your own, only the header fields change.
    ///
    /// - Parameter sessionConfiguration: The settings of the new session, in place of
    ///   `Configuration.sessionConfiguration`.
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
        // Outside the lock: releasing an engine takes time.
        withExtendedLifetime(former) {}
    }
}
