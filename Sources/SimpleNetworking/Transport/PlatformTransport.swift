/// Chooses the default transport of a client: libcurl on Linux, and URLSession on other platforms.
enum PlatformTransport {
    /// Creates a transport with the settings of a session configuration that the transport supports.
    ///
    /// Protocol classes and delegates need URLSession.
    static func make(
        for configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate & Sendable)? = nil,
        logger: RequestLogger
    ) -> any Transport {
        #if canImport(CLibcurl) && os(Linux)
            if delegate == nil, !configuration.hasOwnProtocolClasses {
                // Only settings that differ from a session's defaults, because libcurl's defaults here are different.
                let usual = URLSessionConfiguration.ephemeral
                var settings = CurlConfiguration()
                let connections = configuration.httpMaximumConnectionsPerHost
                if connections != usual.httpMaximumConnectionsPerHost { settings.connectionsPerHost = connections }
                let timeout = configuration.timeoutIntervalForRequest
                if timeout != usual.timeoutIntervalForRequest { settings.idleTimeout = timeout }
                if let transport = CurlTransport(configuration: settings) { return transport }
                let text = "libcurl 7.68 or newer was not found; URLSession is used instead, which is slower."
                logger.log(.warning, text)
            }
        #endif
        return URLSessionTransport(configuration: configuration, delegate: delegate)
    }
}
