import SimpleNetworkingSupport

/// How a request has changed while it waited to be sent, apart from its signature.
///
/// It holds none of the request's closures, because the response has it.
struct RequestChange: Sendable {
    private let former: HTTPHeaders
    private let head: RequestHead
    private let body: RequestBody
    private let defaults: HTTPHeaders?
    private let preparation: (any Sendable)?

    init(from former: TransportRequest, to current: TransportRequest) {
        self.former = former.headers
        head = current.head
        body = current.body
        defaults = current.defaults
        preparation = current.preparation
    }

    /// Returns a request with the change, and with its own fields that the change doesn't concern.
    func applied(to request: TransportRequest) -> TransportRequest {
        var changed = request
        changed.headers.update(from: former, to: head.headers)
        changed.head.written = head.written
        changed.method = head.method
        changed.body = body
        changed.defaults = defaults
        changed.preparation = preparation
        return changed
    }
}

extension TransportRequest {
    /// Whether the request waits for the server's consent before it sends its content.
    var hasExpectation: Bool { headers["Expect"]?.lowercased() == "100-continue" }
}
