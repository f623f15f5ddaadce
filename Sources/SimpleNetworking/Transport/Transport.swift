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
    /// The client takes parts of the response, and reports of progress, for signs that a transfer isn't idle. Where the
    /// content goes to memory and nobody asks for progress, there are none, so that only `timeout` applies. A transport
    /// that gives no signs while it sends or receives long content should return true. The time in which the request's own
    /// code takes a part of the response, or makes a piece of asynchronous content, doesn't count.
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
