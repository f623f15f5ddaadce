/// Sends one request to a server and returns its response: the layer below every client.
///
/// Implement it to stub the network, or to use another HTTP library. A transport knows nothing of handlers, retries,
/// redirects or authentication: it returns every complete HTTP response, a 302 or a 500 too, and throws
/// `NetworkFailure`, a `SimpleNetworkingError`, or `CancellationError` when its task is cancelled. Any number of tasks
/// may call it at once. It may return any content in memory: see ``ResponseSink``.
public protocol Transport: Sendable {
    /// Sends one request and returns the server's response.
    ///
    /// Called on any thread, and never within the call that executes the request. Cancelling the task ends the transfer.
    ///
    /// - Throws: The reason why there is no complete response.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether `send` fails by itself once the request's `timeout` or `idleTimeout` has passed; if not, the client sees to
    /// it.
    ///
    /// The client takes parts of the response, and reports of progress, for signs that a transfer isn't idle. One that
    /// gives neither while it sends or receives long content should return true.
    /// The default is false.
    var enforcesTimeouts: Bool { get }
}

extension Transport {
    /// Leaves timeouts to the client.
    public var enforcesTimeouts: Bool { false }
}

/// Handles every attempt of a client's requests before it is sent, and its response.
///
/// Implement it for what any client may want, such as signatures, logs or simulated faults, and add it to
/// `Configuration.middleware`. For one API, override its client's hooks instead; for one request, add handlers. The
/// client's own stages (authentication, cookies, the cache) are middleware too.
public protocol Middleware: Sendable {
    /// Sends a request to the next stage.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Passes the request on to `next`, once, several times or never, and returns the response.
    ///
    /// Called once per attempt, after `prepare(_:for:)` and before redirects are followed, on any thread, and never
    /// within the call that executes the request.
    ///
    /// - Parameters:
    ///   - request: What is about to be sent; you may change it.
    ///   - next: Sends it to the next stage. You may keep it, for a task of your own.
    /// - Returns: The response, of any status.
    /// - Throws: The reason why there is no response; errors of your own types fail the request with `.failed`.
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse
}

/// Sends nothing, where a session's settings would be ignored that must not be.
struct RefusingTransport: Transport {
    let reason: String

    /// Nil if the platform's engines heed the settings.
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
                // Only what differs from the defaults of sessions, which are not those of libcurl here.
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
