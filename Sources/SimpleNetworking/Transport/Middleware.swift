/// Sees every attempt of a client's requests on its way out, and the answer on its way back.
///
/// Implement it for what any client may want, such as a signature, a log or a fault to practise with; put it into
/// `Configuration.middleware`. What only one API needs is a hook of its client's subclass instead, and what only one
/// request needs is a handler. The client's own steps (redirects, cookies, the transport) are middleware too.
public protocol Middleware: Sendable {
    /// Sends a request through whatever comes next.
    ///
    /// A name for it, since what the type itself means in a module depends on that module's settings.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Passes the request on to `next`, once, several times or not at all, and gives the answer.
    ///
    /// Called once per attempt, on no particular thread, after `prepare(_:for:)` and before redirects are followed.
    ///
    /// - Parameters:
    ///   - request: What would be sent; may be changed before it is passed on.
    ///   - next: Sends it through whatever comes after this. It may be kept, for a task of your own.
    /// - Returns: The answer, of any status.
    /// - Throws: Whatever keeps an answer from coming; an error of a type of its own ends the request with `.failed`.
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse
}
