/// One step on the way of a request: sees it before the steps below it, and the answer after them.
protocol Stage: Sendable {
    /// Passes the request on to `next`, once, several times or not at all, and gives the answer.
    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws -> Reply
    ) async throws -> Reply
}
