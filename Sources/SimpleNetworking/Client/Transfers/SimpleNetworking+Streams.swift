/// What servers send for as long as somebody listens: events, lines, values.
///
/// All of it comes by way of `bytes(for:)`, which see: the request is sent when the first element is wanted, and the server
/// waits while nobody asks for one.
extension SimpleNetworking {
    /// Gives the events of an event stream, as the WHATWG's HTML standard reads them ("Server-sent events").
    ///
    /// ```swift
    /// for try await event in api.events(for: SimpleNetworking.get("/news")) { print(event.data) }
    /// ```
    ///
    /// `Accept` is `text/event-stream` and `Cache-Control` is `no-store` unless the request says otherwise. When the stream
    /// ends, so do the events: to go on, send the request again after the last event's `retry` seconds, with its `id` as
    /// `Last-Event-ID`. A 204 has no events. A success with another content type than `text/event-stream` ends with
    /// `SimpleNetworkingError.failed` and a `StreamFailure`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - maxEventSize: The most bytes that a line, and an event's text, may have. The default is 1 MiB.
    /// - Returns: The events.
    nonisolated public func events(
        for request: SimpleRequest,
        maxEventSize: Int = 1 << 20
    ) -> ServerSentEvents<ResponseBytes> {
        let bytes = ResponseBytes(client: self, request: request, format: .events)
        return ServerSentEvents(bytes, maxLength: maxEventSize) { $0.response }
    }

    /// Gives the events of a typed request's event stream; see the method for untyped ones.
    nonisolated public func events<Value>(
        for request: Request<Value>,
        maxEventSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ServerSentEvents<ResponseBytes> {
        events(for: SimpleRequest(request, fileID: fileID, line: line), maxEventSize: maxEventSize)
    }

    /// Gives the content of a response line by line, as text in UTF-8.
    ///
    /// `Accept` is `text/plain` unless the request says otherwise.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - maxLineSize: The most bytes that a line may have. The default is 1 MiB.
    /// - Returns: The lines, without their ends.
    nonisolated public func lines(for request: SimpleRequest, maxLineSize: Int = 1 << 20) -> TextLines<ResponseBytes> {
        let bytes = ResponseBytes(client: self, request: request, format: .text)
        return TextLines(bytes, maxLength: maxLineSize) { $0.response }
    }

    /// Gives the content of a typed request's response line by line; see the method for untyped ones.
    nonisolated public func lines<Value>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> TextLines<ResponseBytes> {
        lines(for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }

    /// Gives the values of JSON lines, each line decoded with the client's `decoder(for:)`.
    ///
    /// ```swift
    /// for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    /// ```
    ///
    /// `Accept` is `application/x-ndjson` unless the request says otherwise.
    ///
    /// - Parameters:
    ///   - type: The type of a value.
    ///   - request: The request.
    ///   - maxLineSize: The most bytes that a line may have. The default is 1 MiB.
    /// - Returns: The values.
    nonisolated public func jsonLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self,
        for request: SimpleRequest,
        maxLineSize: Int = 1 << 20
    ) -> JSONLines<Value, ResponseBytes> {
        let bytes = ResponseBytes(client: self, request: request, format: .jsonLines)
        return JSONLines(of: type, bytes, decoder: decoder(for: request), maxLength: maxLineSize) { $0.response }
    }

    /// Gives the values of JSON lines of a typed request, whose type is that of one line; see the method for untyped ones.
    nonisolated public func jsonLines<Value: Decodable & SendableMetatype>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> JSONLines<Value, ResponseBytes> {
        jsonLines(of: Value.self, for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }
}
