// Each sequence sends its request when the first element is wanted; the server waits while no element is wanted.
extension SimpleNetworking {
    /// Gives the body of a success in chunks as they arrive.
    ///
    /// ```swift
    /// for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }
    /// ```
    ///
    /// The request is sent when the first chunk is wanted, and again by each iteration. Handlers, token refresh and
    /// retries work as always until the body arrives; after that, a failure is final, since chunks can't be taken back.
    /// To stop, leave the loop. Size and total time are unlimited: see `download(for:to:)`.
    nonisolated public func bytes(for request: SimpleRequest) -> ResponseBytes {
        ResponseBytes(client: self, request: request)
    }

    /// Gives the body of a typed request in chunks, whatever its type.
    nonisolated public func bytes<Value>(
        for request: Request<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ResponseBytes { bytes(for: SimpleRequest(request, fileID: fileID, line: line)) }

    /// Gives the events of an event stream (WHATWG HTML, "Server-sent events") as they arrive.
    ///
    /// ```swift
    /// for try await event in api.events(for: SimpleNetworking.get("/news")) { print(event.data) }
    /// ```
    ///
    /// `Accept` is `text/event-stream` and `Cache-Control` is `no-store` unless the request sets others. The events end
    /// with the stream; to continue, send the request again after the last event's `retry` seconds, with its `id` as
    /// `Last-Event-ID`. A 204 has no events. Comments are skipped, and an unfinished event at the end is dropped.
    ///
    /// A success with another content type, and a line or an event's text of more than `maxEventSize` bytes, end the
    /// events with `SimpleNetworkingError.failed` and a `StreamFailure`. The default limit is 1 MiB.
    nonisolated public func events(
        for request: SimpleRequest,
        maxEventSize: Int = 1 << 20
    ) -> RequestSequence<ServerSentEvent> {
        .events(of: ResponseBytes(client: self, request: request, format: .events).open, maxLength: maxEventSize)
    }

    /// Gives the events of a typed request's event stream.
    nonisolated public func events<Value>(
        for request: Request<Value>,
        maxEventSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<ServerSentEvent> {
        events(for: SimpleRequest(request, fileID: fileID, line: line), maxEventSize: maxEventSize)
    }

    /// Gives the lines of a UTF-8 body as they arrive.
    ///
    /// `Accept` is `text/plain` unless the request sets another. Lines have no ends, which are LF, CR LF or CR; the last
    /// line needs none. Invalid bytes become U+FFFD, and a byte order mark is removed. A line of more than `maxLineSize`
    /// bytes ends them with `SimpleNetworkingError.failed` and a `StreamFailure`. The default limit is 1 MiB.
    nonisolated public func lines(for request: SimpleRequest, maxLineSize: Int = 1 << 20) -> RequestSequence<String> {
        .lines(of: ResponseBytes(client: self, request: request, format: .text).open, maxLength: maxLineSize)
    }

    /// Gives the lines of a typed request's body, whatever its type.
    nonisolated public func lines<Value>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<String> {
        lines(for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }

    /// Gives the values of JSON lines as they arrive, decoded with the client's `decoder(for:)`.
    ///
    /// ```swift
    /// for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    /// ```
    ///
    /// `Accept` is `application/x-ndjson` unless the request sets another. Lines end with LF or CR LF, and empty ones
    /// are skipped. A value that can't be decoded ends them with `SimpleNetworkingError.decoding`, which has the line's
    /// number, and the line as the response's body; a line of more than `maxLineSize` bytes, by default 1 MiB, ends them
    /// as it ends `lines(for:maxLineSize:)`.
    nonisolated public func jsonLines<Value: Decodable & _SendableMetatype>(
        of type: Value.Type = Value.self,
        for request: SimpleRequest,
        maxLineSize: Int = 1 << 20
    ) -> RequestSequence<Value> {
        let bytes = ResponseBytes(client: self, request: request, format: .jsonLines)
        let coders = Coders(decoder: decoder(for: request))
        return .jsonLines(of: bytes.open, coders, memory: memory, maxLength: maxLineSize)
    }

    /// Gives the values of a typed request's JSON lines; its type is that of one line.
    nonisolated public func jsonLines<Value: Decodable & _SendableMetatype>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<Value> {
        jsonLines(of: Value.self, for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }
}

/// Holds the media type that a stream accepts and, if it is strict, requires.
struct StreamFormat: Sendable {
    /// The `Accept` field, unless the request has its own.
    let type: MediaType
    /// Whether a body of another type is an error, and stored responses are not used.
    var isStrict = false

    static let text = StreamFormat(type: "text/plain")
    static let jsonLines = StreamFormat(type: "application/x-ndjson")
    static let events = StreamFormat(type: "text/event-stream", isStrict: true)

    func ask(in request: SimpleRequest) {
        let isNamed = { (field: String) in request.specification.headers.names(field) }
        if !isNamed("Accept") { request.accept(type) }
        if isStrict, !isNamed("Cache-Control") { request.header("Cache-Control", "no-store") }
    }

    /// Throws for a body of another type; a response without a body, such as a 204, has no type either.
    func check(_ response: SimpleResponse) throws {
        guard isStrict, response.httpStatus != 204, response.httpStatus != 205 else { return }
        guard response.headers.contentType?.essence != type.essence else { return }
        let failure = StreamFailure.notAnEventStream(type: response.headers["Content-Type"])
        throw SimpleNetworkingError.failed(failure, request: response.request, response: response)
    }
}
