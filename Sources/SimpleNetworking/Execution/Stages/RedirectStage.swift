/// Follows redirects, without the header fields that the new origin must not see.
///
/// URLSession on Linux drops the content of a 307 and sends every credential to whoever it is sent to; here all engines
/// behave alike.
struct RedirectStage: Middleware {
    let plan: RequestPlan
    let log: EventLog

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let response = try await next(request)
        guard (300...399).contains(response.status) else { return response }
        return try await follow(response, of: request, next)
    }

    /// A function of its own: few requests are redirected, and the others need not make room for this.
    private func follow(
        _ redirect: TransportResponse,
        of request: TransportRequest,
        _ next: Next
    ) async throws -> TransportResponse {
        var response = redirect
        var sent = request
        var chain = RedirectChain(
            plan.redirectPolicy,
            head: request.head,
            hasBody: !request.body.isNone,
            trusted: plan.trustedOrigins,
            sharing: plan.sharing
        )
        while true {
            switch chain.next(status: response.status, headers: response.headers) {
            case .stop: return response
            case .refuse(let reason): throw SimpleNetworkingError.redirect(reason: reason, plan.seen(response, log))
            case .follow(let step):
                log.record(
                    .redirected(
                        status: response.status,
                        to: step.head.url,
                        droppedCredentials: step.droppedCredentials
                    )
                )
                sent.head = step.head
                if !step.keepsBody { sent.body = .none }
                response = try await next(sent)
            }
        }
    }
}
