/// What a server answered: shared by the transport's answer and by the response that users see, so that both are small.
struct Answer: Sendable {
    /// The request as it was sent; nil until the client has said so.
    var request: RequestHead?
    var status: Int
    var headers: HTTPHeaders
    var body: Data
    var metrics: TransferMetrics
}
