/// Sends one request to a server and returns its response: the layer below every client.
///
/// Implement it to stub the network, or to use another HTTP library. A transport knows nothing of handlers, retries,
/// redirects or authentication: it returns every complete HTTP response, a 302 or a 500 too, and throws
/// `NetworkFailure`, a `SimpleNetworkingError`, or `CancellationError` when its task is cancelled. Any number of tasks
/// may call it at once. It may return any content in memory: see ``ResponseSink``.
public protocol Transport: Sendable {
    /// Sends one request and returns the server's response.
    ///
    /// Called on any thread. Cancelling the task ends the transfer.
    ///
    /// - Throws: The reason why there is no complete response.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether `send` fails by itself once the request's `timeout` has passed; if not, the client sees to it.
    ///
    /// The default is false.
    var enforcesTimeouts: Bool { get }
}

extension Transport {
    /// Leaves timeouts to the client.
    public var enforcesTimeouts: Bool { false }
}

/// Chooses the transport of a client that was given none: libcurl on Linux, URLSession on other platforms.
enum PlatformTransport {
    /// Makes a transport with the settings of a session configuration that it knows.
    ///
    /// Protocol classes and delegates need URLSession.
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
        /// Copies what differs from a session configuration's defaults.
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
