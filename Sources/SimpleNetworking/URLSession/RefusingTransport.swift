import SimpleNetworkingSupport

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
