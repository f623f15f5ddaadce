/// An answer and the request that it answers, as sent.
struct Exchange: Sendable {
    var request: TransportRequest
    var response: TransportResponse
}
