/// Follows redirects, without the credentials that the new origin must not see.
///
/// URLSession on Linux drops the content of a 307 and sends every credential to whoever it is sent to; here all engines
/// behave alike.
struct RedirectStage: Stage {
    let plan: RequestPlan
    let log: EventLog

    func intercept(
        _ request: TransportRequest,
        next: @Sendable (TransportRequest) async throws -> Reply
    ) async throws -> Reply {
        let reply = try await next(request)
        guard (300...399).contains(reply.response.status) else { return reply }
        return try await follow(reply, of: request, next)
    }

    /// A function of its own: few requests are redirected, and the others need not make room for this.
    private func follow(
        _ redirect: Reply,
        of request: TransportRequest,
        _ next: @Sendable (TransportRequest) async throws -> Reply
    ) async throws -> Reply {
        var reply = redirect
        var chain = RedirectChain(
            plan.redirectPolicy,
            head: request.head,
            hasBody: !request.body.isNone,
            trusted: plan.trustedOrigins,
            secretNames: plan.secretNames
        )
        while true {
            switch chain.next(status: reply.response.status, headers: reply.response.headers) {
            case .stop: return reply
            case .refuse(let reason): throw SimpleNetworkingError.redirect(reason: reason, plan.response(reply, log))
            case .follow(let step):
                log.record(
                    .redirected(
                        status: reply.response.status,
                        to: step.head.url,
                        droppedCredentials: step.droppedCredentials
                    )
                )
                var following = reply.request
                following.head = step.head
                if !step.keepsBody { following.body = .none }
                reply = try await next(following)
            }
        }
    }
}
