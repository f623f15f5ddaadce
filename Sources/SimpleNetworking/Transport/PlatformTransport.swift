/// Chooses the engine of a client that was given none: libcurl on Linux, URLSession everywhere else.
enum PlatformTransport {
    /// Gives an engine for a session configuration, as far as it can be carried over.
    ///
    /// Only URLSession asks protocol classes and a delegate, so a configuration with some of its own gets that engine.
    static func make(
        for configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate & Sendable)? = nil,
        logger: RequestLogger
    ) -> any Transport {
        #if canImport(CLibcurl) && os(Linux)
            if delegate == nil, !configuration.hasOwnProtocolClasses {
                if let transport = CurlTransport(configuration: CurlConfiguration(configuration)) { return transport }
                logger.log(
                    .warning,
                    "libcurl 7.68 or newer was not found; URLSession is used instead, which is slower."
                )
            }
        #endif
        return URLSessionTransport(configuration: configuration, delegate: delegate)
    }
}

#if canImport(CLibcurl) && os(Linux)
    extension CurlConfiguration {
        /// Takes over what was changed in a session configuration.
        fileprivate init(_ configuration: URLSessionConfiguration) {
            self.init()
            let usual = URLSessionConfiguration.ephemeral
            if configuration.httpMaximumConnectionsPerHost != usual.httpMaximumConnectionsPerHost {
                connectionsPerHost = configuration.httpMaximumConnectionsPerHost
            }
            if configuration.timeoutIntervalForRequest != usual.timeoutIntervalForRequest {
                idleTimeout = configuration.timeoutIntervalForRequest
            }
        }
    }
#endif
