/// Holds the transport with which a client sends its requests, and the header fields that belong to the transport.
struct ClientSession: Sendable {
    let transport: any Transport
    let engine: EngineTraits
    let headers: HTTPHeaders

    /// Creates a session that uses the caller's transport or session unchanged, or else the client's own engine.
    init(
        transport: (any Transport)?,
        session: URLSession?,
        settings: URLSessionConfiguration,
        delegate: (any URLSessionDelegate & Sendable)?,
        logger: RequestLogger
    ) {
        if let transport {
            self.transport = transport
        } else if let refusal = RefusingTransport(for: settings) {
            self.transport = refusal
        } else if let session {
            self.transport = URLSessionTransport(session: session, logger: logger)
        } else {
            let copied = (settings.copy() as? URLSessionConfiguration) ?? .ephemeral
            // They are added to each request instead, because a session would send credentials in them to every
            // origin.
            copied.httpAdditionalHeaders = nil
            self.transport = PlatformTransport.make(for: copied, delegate: delegate, logger: logger)
        }
        engine = (self.transport as? any EngineTransport)?.traits ?? .unknown
        var headers = HTTPHeaders(additional: settings.httpAdditionalHeaders ?? [:])
        if transport != nil { headers.merge(engine.addedHeaders) }
        self.headers = headers
    }
}

/// Refuses all requests if the engine would ignore session settings that matter for security.
struct RefusingTransport: Transport {
    let reason: String

    /// Creates the transport; nil if the platform's engines support the settings.
    init?(for configuration: URLSessionConfiguration) {
        #if canImport(Darwin)
            return nil
        #else
            guard configuration.connectionProxyDictionary?.isEmpty == false else { return nil }
            reason =
                "connectionProxyDictionary has no effect on this platform; use a CurlTransport with a CurlConfiguration.Proxy"
        #endif
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw SimpleNetworkingError.invalidRequest(reason: reason, request.head)
    }
}
