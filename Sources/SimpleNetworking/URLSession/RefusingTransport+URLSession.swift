import SimpleNetworkingSupport

extension RefusingTransport {
    /// Creates the transport if the engine would ignore session settings that matter for security; nil otherwise.
    init?(for configuration: URLSessionConfiguration) {
        #if canImport(Darwin)
            return nil
        #else
            guard configuration.connectionProxyDictionary?.isEmpty == false else { return nil }
            let reason =
                "connectionProxyDictionary has no effect on this platform; use a CurlTransport with a CurlConfiguration.Proxy"
            self.init(reason: reason)
        #endif
    }
}
