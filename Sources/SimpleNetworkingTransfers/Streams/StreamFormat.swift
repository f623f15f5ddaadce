import SimpleNetworkingFeatureSupport

/// Holds the media type that a stream accepts and, if it is strict, requires.
struct StreamFormat: Sendable {
    /// The value of the `Accept` field, unless the request sets its own value.
    let type: MediaType
    /// How an event stream differs from other streams; nil for any other format.
    ///
    /// For an event stream, a body of another type is an error, and only the server responds.
    var openEnd: OpenEnd?
    private var isStrict: Bool { openEnd != nil }
    /// The only acceptable statuses, whatever the request accepts; nil to keep the request's.
    ///
    /// Only a 200 opens an event stream, and a 204 ends it (WHATWG HTML, "Server-sent events").
    var statuses: HTTPStatuses? { isStrict ? [200, 204] : nil }

    static let text = StreamFormat(type: "*/*")
    static let jsonLines = StreamFormat(type: "application/x-ndjson")
    static func events(idleTimeout: TimeInterval?) -> StreamFormat {
        // The position in a stream is no credential; browsers send it to any origin.
        let openEnd = OpenEnd(idleTimeout: idleTimeout, sharedHeaders: ["Last-Event-ID"])
        return StreamFormat(type: "text/event-stream", openEnd: openEnd)
    }

    func ask(in request: SimpleRequest) {
        if !request.names(field: "Accept") { request.accept(type) }
        guard let statuses else { return }
        if !request.names(field: "Cache-Control") { request.header("Cache-Control", "no-store") }
        request.acceptable(statuses: statuses)
    }

    /// Throws an error if the response opens no stream of the format, because of its status or its type.
    func check(_ response: SimpleResponse) throws {
        guard isStrict, response.httpStatus != 204 else { return }
        if let error = response.error { throw error }
        guard response.headers.contentType?.essence != type.essence else { return }
        let failure = StreamFailure.notAnEventStream(type: response.headers["Content-Type"])
        throw SimpleNetworkingError.failed(failure, request: response.request, response: response)
    }
}
