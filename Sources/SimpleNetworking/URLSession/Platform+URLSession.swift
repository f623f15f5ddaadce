import SimpleNetworkingSupport

/// Gives the core `URLSession`, and chooses the engine of a client that has no transport.
extension Platform: SessionProvider {
    /// Creates a transport with the settings of a session configuration that the transport supports.
    ///
    /// Protocol classes and delegates need URLSession.
    package static func makeTransport(for configuration: SimpleNetworking.Configuration) -> any Transport {
        let settings = configuration.sessionConfiguration
        if let refusal = RefusingTransport(for: settings) { return refusal }
        #if canImport(CLibcurl) && os(Linux)
            if configuration.sessionDelegate == nil, !settings.hasOwnProtocolClasses {
                if let transport = CurlTransport(configuration: curlConfiguration(settings)) { return transport }
                let text = "libcurl 7.68 or newer was not found; URLSession is used instead, which is slower."
                configuration.logger.log(.warning, text)
            }
        #endif
        let copied = (settings.copy() as? URLSessionConfiguration) ?? .ephemeral
        // They are added to each request instead, because a session would send credentials in them to every origin.
        copied.httpAdditionalHeaders = nil
        return URLSessionTransport(configuration: copied, delegate: configuration.sessionDelegate)
    }

    package static func headers(of configuration: SimpleNetworking.Configuration) -> HTTPHeaders {
        let settings = configuration.sessionSettings.used as? URLSessionConfiguration
        return HTTPHeaders(additional: settings?.httpAdditionalHeaders ?? [:])
    }

    package static func resourceTimeout(of configuration: SimpleNetworking.Configuration) -> TimeInterval? {
        (configuration.sessionSettings.used as? URLSessionConfiguration)?.timeoutIntervalForResource
    }

    #if canImport(CLibcurl) && os(Linux)
        /// Returns only settings that differ from a session's defaults, because libcurl's defaults here are different.
        private static func curlConfiguration(_ settings: URLSessionConfiguration) -> CurlConfiguration {
            let usual = URLSessionConfiguration.ephemeral
            var configuration = CurlConfiguration()
            let connections = settings.httpMaximumConnectionsPerHost
            if connections != usual.httpMaximumConnectionsPerHost { configuration.connectionsPerHost = connections }
            let timeout = settings.timeoutIntervalForRequest
            if timeout != usual.timeoutIntervalForRequest { configuration.idleTimeout = timeout }
            return configuration
        }
    #endif
}

extension URLSession: SessionSource {
    package var addedHeaders: HTTPHeaders { HTTPHeaders(additional: configuration.httpAdditionalHeaders ?? [:]) }

    package func makeTransport(for configuration: SimpleNetworking.Configuration) -> any Transport {
        if let refusal = RefusingTransport(for: self.configuration) { return refusal }
        return URLSessionTransport(session: self, logger: configuration.logger)
    }
}
