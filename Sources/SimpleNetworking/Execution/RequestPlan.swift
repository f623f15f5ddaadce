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
    var acceptableStatuses: HTTPStatuses
}
