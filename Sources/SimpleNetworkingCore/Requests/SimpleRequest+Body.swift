import SimpleNetworkingSupport

/// If content can't be encoded, the execution ends with `.invalidRequest`, which error handlers receive.
extension SimpleRequest {
    /// Sends a value as the request's content; if the value is nil, the request has no content.
    ///
    /// `Data` is sent unchanged, a `String` is sent as text, and any other value is sent as JSON. Values are encoded
    /// immediately, with dates as ISO 8601 unless you pass an encoder. A default `Content-Type` from the client or the
    /// session configuration replaces the content's own type.
    @discardableResult
    public func body(_ content: (any Encodable)?, encoder: @autoclosure () -> JSONEncoder = .standard) -> Self {
        switch content {
        case let data as Data: set(.ready(.data(data), .octetStream, isAssumed: true))
        case let text as String: set(.text(text, isAssumed: true))
        case let optional as any OptionalValue where optional.wrapped == nil: set(.none)
        case let content?: body(json: content, encoder: encoder())
        case nil: set(.none)
        }
    }

    /// Sends a value as JSON.
    ///
    /// The value is encoded immediately. The default encoder writes dates as ISO 8601.
    @discardableResult public func body(json value: some Encodable, encoder: JSONEncoder = .standard) -> Self {
        set(.json(encoding: value, with: encoder))
    }

    /// Sends a JSON object, which is encoded immediately.
    @discardableResult public func body(json object: [String: Any]) -> Self { set(.json(object)) }

    /// Sends a JSON array, which is encoded immediately.
    @discardableResult public func body(json array: [Any]) -> Self { set(.json(array)) }

    /// Sends form fields as `application/x-www-form-urlencoded`, in the given order.
    ///
    /// Pass a list such as `[("a", "1"), ("b", "2")]`, or a dictionary, whose fields are sorted by name. To pass a
    /// variable, write `Query(fields)`.
    @discardableResult public func body(form fields: Query) -> Self { set(.form(fields)) }

    /// Sends text as UTF-8.
    @discardableResult public func body(text: String) -> Self { set(.text(text)) }

    /// Sends data with a content type; if the data is nil, the request has no content.
    @discardableResult public func body(data: Data?, contentType: MediaType) -> Self {
        set(data.map { .ready(.data($0), contentType) } ?? .none)
    }

    /// Sends content that is produced when the request is executed.
    package func body(source: any BodySource) -> Self { set(.source(source)) }

    /// Streams a file's content, reading the file during the transfer.
    @discardableResult
    public func body(file: URL, contentType: MediaType) -> Self { set(.ready(.file(file), contentType)) }

    /// Sends the bytes of a stream.
    ///
    /// `length` is the number of bytes, or nil if the number is unknown. If the stream has fewer bytes, the request
    /// fails. If the stream has more bytes, only the first `length` bytes are sent. `make` opens a new stream for each
    /// attempt and for each redirect that repeats the content.
    @discardableResult public func body(
        streamOfLength length: Int?,
        contentType: MediaType,
        _ make: @escaping @Sendable () -> (any ContentStream)?
    ) -> Self { set(.ready(.stream(length: length, make: make), contentType)) }

    /// Sends the chunks of an asynchronous sequence as it produces them.
    ///
    /// `chunks` produces the sequence each time the content is sent. `length` is the number of bytes, or nil if the
    /// number is unknown. If the sequence has fewer bytes, the request fails. If the sequence has more bytes, libcurl
    /// sends the first `length` bytes. With URLSession, nothing is sent in that case, and the request fails.
    @discardableResult public func body(chunks: BodyChunks, length: Int? = nil, contentType: MediaType) -> Self {
        set(.ready(.chunks(length: length, chunks), contentType))
    }

    /// Sets whether a GET or HEAD request may have content, for which RFC 9110 defines no meaning.
    @discardableResult
    public func allowsBodyOnGet(_ isAllowed: Bool = true) -> Self { specify { $0.allowsBodyOnGet = isAllowed } }

    /// Lets a module send the body in several requests, which may take any time.
    @discardableResult package func sentInParts() -> Self { specify { $0.isSentInParts = true } }

    /// Sends a body as `application/octet-stream`, unless the client sets a default type.
    package func upload(_ body: RequestBody) -> Self { set(.ready(body, .octetStream, isAssumed: true)) }

    private func set(_ content: BodyContent) -> Self { specify { $0.body = content } }
}
