/// What a client sends its requests over: the engine, and the header fields that belong to it.
struct ClientSession: Sendable {
    let transport: any Transport
    let headers: HTTPHeaders

    /// Takes a user's session as it is, or makes an engine of the client's own.
    init(_ session: URLSession?, _ configuration: SimpleNetworking.Configuration) {
        let settings = session?.configuration ?? configuration.sessionConfiguration
        var headers = HTTPHeaders(additional: settings.httpAdditionalHeaders ?? [:])
        if let transport = configuration.transport as? URLSessionTransport { headers.merge(transport.sessionHeaders) }
        self.headers = headers
        if let transport = configuration.transport {
            self.transport = transport
        } else if let session {
            transport = URLSessionTransport(session: session, logger: configuration.logger)
        } else {
            let copied = (configuration.sessionConfiguration.copy() as? URLSessionConfiguration) ?? .ephemeral
            // They are added to each request instead: a session would send credentials among them to any origin.
            copied.httpAdditionalHeaders = nil
            transport = PlatformTransport.make(
                for: copied,
                delegate: configuration.sessionDelegate,
                logger: configuration.logger
            )
        }
    }
}
