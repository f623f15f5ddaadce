extension SimpleResponse {
    /// The content as text, in the charset of `Content-Type`, else UTF-8; nil if it is not such text.
    ///
    /// Charsets are found by the labels that browsers use, so that `iso-8859-1` and `ascii` are windows-1252 (WHATWG
    /// Encoding §4.2). Unknown ones are ignored. Of several `Content-Type` fields, the last valid one counts. A byte
    /// order mark wins over the charset, and is not part of the text.
    public var text: String? { TextEncoding.text(of: data, label: headers.contentType?.parameter("charset")) }

    /// The content as a JSON object; nil if it is not one.
    public var json: [String: Any]? { jsonObject as? [String: Any] }

    /// The content as a JSON array; nil if it is not one.
    public var jsonArray: [Any]? { jsonObject as? [Any] }

    /// The content as any JSON value, fragments such as `true` included; nil if it is not JSON.
    public var jsonObject: Any? {
        data.isEmpty ? nil : try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    }

    /// Decodes the content.
    ///
    /// `Data` and `String` are the content as it is; an optional is nil if there is no content.
    ///
    /// - Parameters:
    ///   - type: The type to make.
    ///   - decoder: The decoder to use. By default, it reads JSON with ISO 8601 dates.
    /// - Returns: The decoded value.
    /// - Throws: `SimpleNetworkingError.decoding`, which names the type and the place, and keeps this response.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: (any ResponseDecoder)? = nil
    ) throws(SimpleNetworkingError) -> Value {
        let decoder = decoder ?? Coders.standard.decoder
        do {
            if let value = try raw(type) { return value }
            return try Secret.$memory.withValue(request.memory) { try decoder.decode(type, from: data) }
        } catch {
            throw .decoding(.init(type: type, underlying: error), self)
        }
    }

    /// Values that need no decoder: bytes, text, and nil.
    private func raw<Value>(_ type: Value.Type) throws -> Value? {
        if data.isEmpty, let optional = type as? any OptionalValue.Type { return optional.empty as? Value }
        if type == Data.self || type == Data?.self { return data as? Value }
        if type == String.self || type == String?.self {
            if let text { return text as? Value }
            let context = DecodingError.Context(codingPath: [], debugDescription: "the content is not text")
            throw DecodingError.typeMismatch(String.self, context)
        }
        guard data.isEmpty else { return nil }
        throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "there is no content"))
    }

    /// The links of the response's header.
    var links: LinkHeader { LinkHeader(headers["Link"] ?? "") }

    /// Returns the absolute URL of the first link with the given relation, such as `next`, or nil if there is no valid
    /// one.
    ///
    /// A relative link is resolved against the URL of the response.
    public func link(_ relation: String) -> URL? {
        links.target(of: relation).flatMap { try? URLParts(resolving: $0, against: request.url).url() }
    }
}
