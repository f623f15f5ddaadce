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
    /// `Accept` is `text/event-stream` unless the request says otherwise. When the stream ends, so do the events: to go on,
    /// send the request again after the last event's `retry` seconds, with its `id` as `Last-Event-ID`.
    nonisolated public func events(for request: SimpleRequest) -> ServerSentEvents<ResponseBytes> {
        ServerSentEvents(ResponseBytes(client: self, request: request, type: "text/event-stream")) { $0.response }
    }

    /// Gives the events of a typed request's event stream; see the method for untyped ones.
    nonisolated public func events<Value>(for request: Request<Value>) -> ServerSentEvents<ResponseBytes> {
        events(for: SimpleRequest(request))
    }

    /// Gives the content of an answer line by line, as text in UTF-8.
    ///
    /// `Accept` is `text/plain` unless the request says otherwise.
    nonisolated public func lines(for request: SimpleRequest) -> TextLines<ResponseBytes> {
        TextLines(ResponseBytes(client: self, request: request, type: "text/plain")) { $0.response }
    }

    /// Gives the content of a typed request's answer line by line; see the method for untyped ones.
    nonisolated public func lines<Value>(for request: Request<Value>) -> TextLines<ResponseBytes> {
        lines(for: SimpleRequest(request))
    }

    /// Gives the values of JSON lines, each line decoded with the client's `decoder(for:)`.
    ///
    /// ```swift
    /// for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    /// ```
    ///
    /// `Accept` is `application/x-ndjson` unless the request says otherwise.
    nonisolated public func jsonLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self,
        for request: SimpleRequest
    ) -> JSONLines<Value, ResponseBytes> {
        let bytes = ResponseBytes(client: self, request: request, type: "application/x-ndjson")
        return JSONLines(of: type, bytes, decoder: decoder(for: request)) { $0.response }
    }

    /// Gives the values of JSON lines of a typed request, whose type is that of one line; see the method for untyped ones.
    nonisolated public func jsonLines<Value: Decodable & SendableMetatype>(
        for request: Request<Value>
    ) -> JSONLines<Value, ResponseBytes> {
        jsonLines(of: Value.self, for: SimpleRequest(request))
    }
}
