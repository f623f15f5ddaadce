/// Handles every attempt of a client's requests before it is sent, and its response.
///
/// Implement it for what any client may want, such as signatures, logs or simulated faults, and add it to
/// `Configuration.middleware`. For one API, override its client's hooks instead; for one request, add handlers. The
/// client's own stages (redirects, cookies, the transport) are middleware too.
public protocol Middleware: Sendable {
    /// Sends a request to the next stage.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Passes the request on to `next`, once, several times or never, and returns the response.
    ///
    /// Called once per attempt, on any thread, after `prepare(_:for:)` and before redirects are followed. The thread
    /// can be the one that makes the request, which code that blocks holds up.
    ///
    /// - Parameters:
    ///   - request: What is about to be sent; you may change it.
    ///   - next: Sends it to the next stage. You may keep it, for a task of your own.
    /// - Returns: The response, of any status.
    /// - Throws: The reason why there is no response; errors of your own types fail the request with `.failed`.
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse
}
