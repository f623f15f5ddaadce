extension SimpleRequest {
    /// Sends this content: `Data` as it is, a `String` as text, anything else as JSON; see `body(json:encoder:)`.
    @discardableResult
    public func body(_ content: any Encodable) -> Self {
        switch content {
        case let data as Data: body(data: data, contentType: .octetStream)
        case let text as String: body(text: text)
        default: body(json: content)
        }
    }

    /// Sends these bytes, said to be of this type. nil sends no content.
    @discardableResult
    public func body(data: Data?, contentType: MediaType) -> Self {
        set(data.map(RequestBody.data) ?? .none, contentType)
    }

    /// Sends text as UTF-8.
    @discardableResult
    public func body(text: String) -> Self { set(.data(Data(text.utf8)), .text) }

    func set(_ body: RequestBody, _ type: MediaType) -> Self {
        specify { specification in
            specification.body = body
            specification.bodyType = type
        }
    }

    public func body(json: some Encodable) -> Self { self }
}
