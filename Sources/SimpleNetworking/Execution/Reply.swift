/// An answer and the request that it answers, as sent: one reference each, so that the stages' frames stay small.
struct Reply: Sendable {
    let request: TransportRequest
    let response: TransportResponse
}
