/// What the content of a stream is read as: what is asked for, and what is refused.
struct StreamFormat: Sendable {
    /// Asked for, unless the request names a type itself.
    let type: MediaType
    /// Whether content of another type is an error, and nothing that is stored will do.
    var isStrict = false

    static let text = StreamFormat(type: "text/plain")
    static let jsonLines = StreamFormat(type: "application/x-ndjson")
    static let events = StreamFormat(type: "text/event-stream", isStrict: true)

    func ask(in request: SimpleRequest) {
        let isNamed = { (field: String) in request.specification.names(field) }
        if !isNamed("Accept") { request.accept(type) }
        if isStrict, !isNamed("Cache-Control") { request.header("Cache-Control", "no-store") }
    }

    /// Throws for content of another type; a response that has no content, such as a 204, has no type either.
    func check(_ response: SimpleResponse) throws {
        guard isStrict, response.httpStatus != 204, response.httpStatus != 205 else { return }
        guard response.headers.contentType?.essence != type.essence else { return }
        let failure = StreamFailure.notAnEventStream(type: response.headers["Content-Type"])
        throw SimpleNetworkingError.failed(failure, response.request, response)
    }
}
