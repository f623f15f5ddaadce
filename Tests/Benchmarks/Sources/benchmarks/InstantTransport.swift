/// Responds at once.
struct InstantTransport: Transport {
    var headers: HTTPHeaders = [:]
    var enforcesTimeouts: Bool { true }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(httpStatus: 200, headers: headers, data: Data("[1]".utf8))
    }
}

/// Responds at once with a page, and with a link to the next one until the last.
struct PagedTransport: Transport {
    let count: Int
    var enforcesTimeouts: Bool { true }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let number = request.url.query.flatMap { Int($0.drop { !$0.isNumber }) } ?? 1
        let link = "<https://example.com/list?page=\(number + 1)>; rel=\"next\""
        let headers = HTTPHeaders(number < count ? ["Link": link] : [:])
        return TransportResponse(httpStatus: 200, headers: headers, data: Data("[1]".utf8))
    }
}

/// Observes, and does nothing.
struct SilentMonitor: EventMonitor {
    func observe(_ event: RequestEvent, of request: ObservedRequest) {}
}
