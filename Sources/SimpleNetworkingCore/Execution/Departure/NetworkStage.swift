import SimpleNetworkingSupport

/// Lets middleware stand for the network: it sees each request as it is sent.
struct NetworkStage: Middleware {
    let middleware: any NetworkMiddleware
    let execution: Execution

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let isPart = request.original != nil
        // The reader of a stream asks for it, whether the network or the middleware responds.
        execution.noteSent(request.original ?? request.head, continues: isPart)
        do {
            let response = try await middleware.intercept(request) { changed in
                var sent = changed
                // The request was noted, and isn't another one.
                sent.original = changed.original ?? changed.head
                return try await next(sent)
            }
            if !isPart { execution.noteResponse(response.httpStatus) }
            return response
        } catch {
            if Connection.isImpossible(after: error) { execution.noteUnreached() }
            throw error
        }
    }
}
