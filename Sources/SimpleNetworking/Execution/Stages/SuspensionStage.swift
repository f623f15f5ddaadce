/// Holds back a request, and the parts of its response, while the request is suspended.
///
/// The engine itself holds back content that it sends; see `TransportRequest.suspension`.
struct SuspensionStage: Middleware {
    let suspension: Suspension

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        try await suspension.wait()
        var request = request
        request.suspension = suspension
        if case .stream(let receive) = request.sink {
            request.sink = .stream { [suspension] part in
                try await suspension.wait()
                try await receive(part)
            }
        }
        return try await next(request)
    }
}
