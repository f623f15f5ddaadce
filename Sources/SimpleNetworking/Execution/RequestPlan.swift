/// A request frozen into a value: all that one attempt needs.
struct RequestPlan: Sendable {
    /// What is sent first.
    var request: TransportRequest
    /// Makes what is sent again, with the client's header fields as they are then.
    var remake: @Sendable () throws(SimpleNetworkingError) -> TransportRequest
    /// Names of credentials that stay at home, since the address lies outside the trusted origins.
    var withheld: [String] = []
    var transport: any Transport
    var clock: any RequestClock
    var retryPolicy: RetryPolicy
    var redirectPolicy: RedirectPolicy
    /// The origins that may see credentials.
    var trustedOrigins: Set<Origin>
    /// Names of credentials beside the known ones.
    var secretNames: [String]
    var acceptableStatuses: HTTPStatuses

    /// The answer as the user gets to see it.
    func response(_ reply: Reply, _ log: EventLog) -> SimpleResponse {
        SimpleResponse(
            request: reply.request.head,
            httpStatus: reply.response.status,
            headers: reply.response.headers,
            data: reply.response.body,
            attempt: log.attempt,
            timings: reply.response.metrics,
            acceptableStatuses: acceptableStatuses
        )
    }
}
