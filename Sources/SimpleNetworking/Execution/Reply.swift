/// An answer and the request that it answers, as sent.
struct Reply: Sendable {
    var request: TransportRequest
    var response: TransportResponse
}
