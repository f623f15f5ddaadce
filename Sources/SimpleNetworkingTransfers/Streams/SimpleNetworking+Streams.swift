import SimpleNetworkingFeatureSupport

// Each sequence sends its request when the first element is awaited; the server waits while no element is awaited.
extension SimpleNetworking {
    /// Returns the body of an acceptable response in chunks as they arrive.
    ///
    /// ```swift
    /// for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }
    /// ```
    ///
    /// The client sends the request when you await the first chunk, and again for each iteration. Handlers, token
    /// refresh and retries work as usual until the body arrives. Once the body arrives, a failure is final, because the
    /// client can't take back delivered chunks. To stop the transfer, leave the loop. Neither the size nor the total
    /// time is limited by default. For details, see `download(for:to:)`.
    ///
    /// If the request accepts a status outside 200...299, that response's body arrives in one chunk, within
    /// `maxResponseSize`.
    nonisolated public func bytes(for request: SimpleRequest) -> ResponseBytes {
        ResponseBytes(client: self, request: request)
    }

    /// Returns the response body of a typed request in chunks, regardless of the request's value type.
    nonisolated public func bytes<Value>(
        for request: Request<Value>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> ResponseBytes { bytes(for: SimpleRequest(request, fileID: fileID, line: line)) }

    /// Returns the events of an event stream (WHATWG HTML, "Server-sent events") as they arrive.
    ///
    /// ```swift
    /// for try await event in api.events(for: SimpleNetworking.get("/news")) { print(event.data) }
    /// ```
    ///
    /// The client sends `text/event-stream` as `Accept` and `no-store` as `Cache-Control` unless the request sets these
    /// fields. The sequence skips comments, and discards an unfinished event at the end. By default, the sequence ends
    /// when the stream ends.
    ///
    /// If `reconnects` is true, the client sends the request again, as a browser does, when the stream ends, when the
    /// connection is lost, or after a response with the status 429, 500, 502, 503 or 504. The client also does so if it
    /// doesn't send the request because its server fails, and if the credential couldn't be refreshed for such a
    /// reason. In the repeated request, `Last-Event-ID` contains the ID of the last event. Before each reconnection,
    /// the client waits as long as
    /// the server's `retry` field specifies, or 3 s if the server doesn't specify a time. With each consecutive
    /// connection that delivers no events, the delay grows, up to a maximum of 60 s. A `Retry-After` field can make the
    /// delay longer. A 204 response ends the sequence. If a response has any other status than 200 or another content
    /// type, or if the deadline passes, iterating throws an error.
    ///
    /// Only a 200 response opens the stream, whatever statuses the request accepts. The client's `timeout` limits the
    /// wait for the response's head. Afterwards, the stream may be quiet for any time, unless you set an `idleTimeout`
    /// in seconds; with `reconnects`, the client then sends the request again. The default is nil, which means no limit.
    ///
    /// If a response has another content type, or if a line or an event's data exceeds `maxEventSize` bytes,
    /// iterating throws `SimpleNetworkingError.failed` with a `StreamFailure`. The default limit is 1 MiB.
    nonisolated public func events(
        for request: SimpleRequest,
        maxEventSize: Int = 1 << 20,
        reconnects: Bool = false,
        idleTimeout: TimeInterval? = nil
    ) -> RequestSequence<ServerSentEvent> {
        let format = StreamFormat.events(idleTimeout: idleTimeout)
        if reconnects {
            let reconnection = EventReconnection(
                client: self,
                request: request,
                maxEventSize: maxEventSize,
                format: format
            )
            return RequestSequence { reconnection.begin() }
        }
        return .events(of: ResponseBytes(client: self, request: request, format: format).open, maxLength: maxEventSize)
    }

    /// Returns the events of a typed request's event stream.
    nonisolated public func events<Value>(
        for request: Request<Value>,
        maxEventSize: Int = 1 << 20,
        reconnects: Bool = false,
        idleTimeout: TimeInterval? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<ServerSentEvent> {
        let request = SimpleRequest(request, fileID: fileID, line: line)
        return events(for: request, maxEventSize: maxEventSize, reconnects: reconnects, idleTimeout: idleTimeout)
    }

    /// Returns the lines of a UTF-8 body as they arrive.
    ///
    /// The client sends `*/*` as `Accept` unless the request sets this field. Lines end with LF, CR LF or CR, and the
    /// sequence returns them without the line ending. The last line doesn't need a line ending. Invalid bytes
    /// are replaced with U+FFFD, and a byte order mark is removed. If a line exceeds `maxLineSize` bytes, iterating
    /// throws `SimpleNetworkingError.failed` with a `StreamFailure`. The default limit is 1 MiB.
    nonisolated public func lines(for request: SimpleRequest, maxLineSize: Int = 1 << 20) -> RequestSequence<String> {
        .lines(of: ResponseBytes(client: self, request: request, format: .text).open, maxLength: maxLineSize)
    }

    /// Returns the lines of a typed request's response body, regardless of the request's value type.
    nonisolated public func lines<Value>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<String> {
        lines(for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }

    /// Returns the values of JSON lines as they arrive, decoded with the client's `decoder(for:)`.
    ///
    /// ```swift
    /// for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    /// ```
    ///
    /// The client sends `application/x-ndjson` as `Accept` unless the request sets this field. Lines end with LF or CR
    /// LF, and the sequence skips empty lines. If a value can't be decoded, iterating throws
    /// `SimpleNetworkingError.decoding`. This error contains the line number, and a response whose body is the line. If
    /// a line exceeds `maxLineSize` bytes, iterating throws the same error as with `lines(for:maxLineSize:)`. The
    /// default limit is 1 MiB.
    nonisolated public func jsonLines<Value: Decodable & _SendableMetatype>(
        of type: Value.Type = Value.self,
        for request: SimpleRequest,
        maxLineSize: Int = 1 << 20
    ) -> RequestSequence<Value> {
        let bytes = ResponseBytes(client: self, request: request, format: .jsonLines)
        let coders = Coders(decoder: decoder(for: request))
        return .jsonLines(of: bytes.open, coders, memory: memory, maxLength: maxLineSize)
    }

    /// Returns the values of a typed request's JSON lines.
    ///
    /// The request's value type is the type of the value on each line.
    nonisolated public func jsonLines<Value: Decodable & _SendableMetatype>(
        for request: Request<Value>,
        maxLineSize: Int = 1 << 20,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> RequestSequence<Value> {
        jsonLines(of: Value.self, for: SimpleRequest(request, fileID: fileID, line: line), maxLineSize: maxLineSize)
    }
}
