/// Moves one request to a server and brings its answer back: the seam under every client.
///
/// Implement it to stub the network, or to bring an engine of your own. A transport knows nothing of handlers, retries,
/// redirects or authentication: any complete HTTP answer, a 302 or a 500 too, is returned and not thrown. It throws
/// `NetworkFailure`, a `SimpleNetworkingError`, or `CancellationError` when its task was cancelled, and it may be called
/// from any number of tasks at once. It may return any content in memory: see ``ResponseSink``.
public protocol Transport: Sendable {
    /// Sends one request and returns the server's answer. Called on no particular thread.
    ///
    /// - Throws: whatever kept a complete answer from coming. Cancelling the task ends the transfer.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Tells whether `send` ends by itself when the request's `timeout` has passed. The default is false: the client
    /// then keeps the time.
    var keepsTimeouts: Bool { get }
}

extension Transport {
    /// The client keeps the time.
    public var keepsTimeouts: Bool { false }
}
