/// Lets middleware stand for the network, above the stages in which requests share transfers and wait.
///
/// It sees each request as it would be sent now.
struct NetworkStage: Middleware {
    let middleware: any NetworkMiddleware
    let departure: DepartureStage

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        try await departure.standIn(for: request) { shown, isSent in
            try await middleware.intercept(shown) { changed in
                _ = isSent.exchange(true)
                // Signed when it is sent.
                var sent = changed
                sent.head = request.head
                return try await next(sent)
            }
        }
    }
}

extension DepartureStage {
    /// Passes the request as it would be sent to what responds in place of the network, or sends it after all.
    fileprivate func standIn(
        for request: TransportRequest,
        _ respond: (TransportRequest, Locked<Bool>) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var shown = try await signer?.sign(request) {} ?? request
        let cookies = try addCookies(to: &shown)
        let isSent = Locked(false)
        let response = try await respond(shown, isSent)
        if isSent.withLock({ $0 }) { return response }
        execution.noteSent(shown.head)
        receiver(for: Departure(request: shown, turn: Turn(), cookies: cookies))
            .receive(response.httpStatus, response.headers, isComplete: true)
        return response
    }
}
