/// Sends one request to a server and returns its response: the layer below every client.
///
/// Implement this protocol to stub the network, or to use another HTTP library. A transport handles no retries,
/// redirects or authentication, and calls no handlers. It returns every complete HTTP response, including a 302 or a
/// 500. It throws `NetworkFailure`, a `SimpleNetworkingError`, or `CancellationError` when its task is cancelled. Any
/// number of tasks may call it at once. It may return any content in memory: see ``ResponseSink``.
public protocol Transport: Sendable {
    /// Sends one request and returns the server's response.
    ///
    /// The client calls it on any thread, and never within the call that executes the request. Cancelling the task
    /// ends the transfer.
    ///
    /// - Throws: The reason why there is no complete response.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether `send` itself fails after the request's `timeout` or `idleTimeout`.
    ///
    /// If it is false, which is the default, the client enforces the timeouts. It considers a transfer idle while it
    /// receives neither parts of the response nor progress reports. If the content is stored in memory and no progress
    /// is requested, it receives neither, and only `timeout` applies. A transport that provides neither while it sends
    /// or receives long content should return true. The time that the request's own code takes to process a part of
    /// the response, or to produce a piece of asynchronous content, doesn't count.
    var enforcesTimeouts: Bool { get }
}

extension Transport {
    /// False, so that the client enforces the timeouts.
    public var enforcesTimeouts: Bool { false }
}

/// Handles every attempt of a client's requests before it is sent, and its response.
///
/// Implement this protocol for features that any client may need, such as signatures, logs or simulated faults, and
/// add it to `Configuration.middleware`. For one API, override its client's hooks instead; for one request, add
/// handlers. The client's own stages (authentication, cookies, the cache) are middleware too.
public protocol Middleware: Sendable {
    /// Sends a request to the next stage.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Passes the request to `next` any number of times, or not at all, and returns the response.
    ///
    /// The client calls it once per attempt, after `prepare(_:for:)` and before redirects are followed, on any thread,
    /// and never within the call that executes the request.
    ///
    /// - Parameters:
    ///   - request: The request about to be sent; you can change it.
    ///   - next: Sends the request to the next stage. You can keep it, for your own task.
    /// - Returns: The response, with any status.
    /// - Throws: The reason why there is no response; errors of your own types make the request fail with `.failed`.
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse
}
