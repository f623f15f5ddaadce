import SimpleNetworkingSupport

/// Holds the transport with which a client sends its requests, and the header fields that belong to the transport.
struct ClientSession: Sendable {
    let transport: any Transport
    let engine: EngineTraits
    let headers: HTTPHeaders

    /// Creates a session; `headers` are the fields in its settings, and the caller's own transport may add others.
    init(_ transport: any Transport, isCallersOwn: Bool, headers: HTTPHeaders) {
        self.transport = transport
        engine = (transport as? any EngineTransport)?.traits ?? .unknown
        var headers = headers
        if isCallersOwn { headers.merge(engine.addedHeaders) }
        self.headers = headers
    }
}
