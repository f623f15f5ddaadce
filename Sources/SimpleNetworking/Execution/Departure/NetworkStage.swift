/// Lets middleware stand for the network, above the stages in which requests share transfers and wait.
///
/// It sees each request as it would be sent now.
struct NetworkStage: Middleware {
    let middleware: any NetworkMiddleware
    let departure: DepartureStage

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var shown = try await departure.signer?.sign(request) {} ?? request
        let cookies = try departure.addCookies(to: &shown)
        let isSent = Locked(false)
        let response = try await middleware.intercept(shown) { changed in
            _ = isSent.exchange(true)
            // Signed when it is sent.
            var sent = changed
            sent.head = request.head
            return try await next(sent)
        }
        if isSent.withLock({ $0 }) { return response }
        departure.execution.noteSent(shown.head)
        departure.receiver(for: .init(request: shown, turn: .init(), cookies: cookies))
            .receive(response.httpStatus, response.headers, isComplete: true)
        return response
    }
}
