/// An answer and the request that it answers, as sent.
///
/// It is a class so that the frames of the stages, which each hold one, stay small.
final class Reply: Sendable {
    let request: TransportRequest
    let response: TransportResponse

    init(request: TransportRequest, response: TransportResponse) {
        self.request = request
        self.response = response
    }
}
