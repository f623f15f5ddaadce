import SimpleNetworkingSupport

/// Sends one request to a server and returns its response; every client is built on a transport.
///
/// Implement this protocol to stub the network, or to use another HTTP library. A transport handles no retries,
/// redirects or authentication, and calls no handlers. A transport returns every complete HTTP response, including a
/// response with status 302 or 500. A transport throws `NetworkFailure`, a `SimpleNetworkingError`, or, when its task
/// is cancelled, `CancellationError`. Any number of tasks may call a transport at once. A transport may return any
/// content in memory; see ``ResponseSink``.
public protocol Transport: Sendable {
    /// Sends one request and returns the server's response.
    ///
    /// The client calls this method on any thread, and never within the call that executes the request. Cancelling the
    /// task ends the transfer.
    ///
    /// - Throws: The reason why there is no complete response.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Whether `send` itself fails after the request's `timeout` or `idleTimeout`.
    ///
    /// If false (the default), the client enforces the timeouts. The client considers a transfer idle while it receives
    /// neither parts of the response nor progress reports. If the content is stored in memory and no progress is
    /// requested, the client receives neither parts nor reports, and only `timeout` applies. If a transport provides
    /// neither parts nor reports while it sends or receives long content, it should return true. Idle time doesn't
    /// include the time that the request's own code takes to process a part of the response or to produce a piece of
    /// asynchronous content.
    var enforcesTimeouts: Bool { get }
}

extension Transport {
    /// Always false, so that the client enforces the timeouts.
    public var enforcesTimeouts: Bool { false }
}

/// Processes each attempt of a client's requests before it is sent, and its response after it arrives.
///
/// For features that any client may need, such as logs or simulated faults, implement this protocol and add an instance
/// of your type to `Configuration.middleware`. For a single API, override its client's hooks instead. For a single
/// request, add handlers. Middleware sees requests before the authenticator's credential and cookies are added,
/// which happens when they are sent. To sign the request as it is sent, implement ``Authenticator``.
public protocol Middleware: Sendable {
    /// Sends a request to the next stage.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Passes the request to `next` any number of times, or not at all, and returns the response.
    ///
    /// The client calls this method once per attempt, after `prepare(_:for:)` and before it follows redirects. The call
    /// may happen on any thread, but never within the call that executes the request.
    ///
    /// - Parameters:
    ///   - request: The request that is about to be sent, which you can change.
    ///   - next: A closure that sends the request to the next stage. You can keep the closure to call it in your own
    ///     task.
    /// - Returns: The response, with any status.
    /// - Throws: The reason why there is no response. An error of your own type makes the request fail with `.failed`.
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse
}
