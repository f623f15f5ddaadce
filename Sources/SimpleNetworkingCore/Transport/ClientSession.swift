import SimpleNetworkingSupport

/// Holds the transport with which a client sends its requests, and the header fields that belong to the transport.
struct ClientSession: Sendable {
    let transport: any Transport
    let engine: EngineTraits
    let headers: HTTPHeaders

    /// Creates a session that uses the caller's transport or session unchanged, or else the client's own engine.
    init(_ source: (any ClientSessionSource)?, for configuration: SimpleNetworking.Configuration) {
        let source = source as? any SessionSource
        transport =
            configuration.transport ?? source?.makeTransport(for: configuration)
            ?? PlatformTransport.make(for: configuration)
        engine = (transport as? any EngineTransport)?.traits ?? .unknown
        var headers = source?.addedHeaders ?? Platform.session?.headers(of: configuration) ?? [:]
        if configuration.transport != nil { headers.merge(engine.addedHeaders) }
        self.headers = headers
    }
}
