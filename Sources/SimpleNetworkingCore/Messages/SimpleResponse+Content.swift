import SimpleNetworkingSupport

extension SimpleResponse {
    /// The content as a string, decoded with the charset of `Content-Type`, or else as UTF-8; nil if decoding fails.
    ///
    /// Charset labels are interpreted as in browsers, so `iso-8859-1` and `ascii` mean windows-1252 (WHATWG Encoding
    /// §4.2). Unknown charsets are ignored. If there are several `Content-Type` fields, the last valid field applies. A
    /// byte order mark takes precedence over the charset, and isn't part of the text.
    public var text: String? { TextEncoding.text(of: data, label: headers.contentType?.parameter("charset")) }

    /// Decodes the content.
    ///
    /// If the type is `Data` or `String`, this method returns the content unchanged. If the type is optional, it
    /// returns nil for empty content.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder to use. The default is the decoder of the client that received the response. For a
    ///     response that you have created, the default decodes JSON with ISO 8601 dates.
    /// - Returns: The decoded value.
    /// - Throws: `SimpleNetworkingError.decoding`, which contains the type, the coding path and this response.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: (any ResponseDecoder)? = nil
    ) throws(SimpleNetworkingError) -> Value {
        let decoder = decoder ?? decoding.choose?() ?? decoding.coders.decoder
        do {
            if let value = try raw(type, orFrom: decoder) { return value }
            return try decodeStrictly(type, using: decoder)
        } catch {
            throw .decoding(.init(type: type, underlying: error), self)
        }
    }

    /// Decodes the content of an error, or tells the client's logger why it can't be decoded.
    func content<Value: Decodable>(as type: Value.Type, using decoder: (any ResponseDecoder)?) -> Value? {
        do { return try decode(type, using: decoder) } catch {
            if !data.isEmpty { decoding.warn?("\(error) Error handlers and content(as:) get nil.") }
            return nil
        }
    }

    /// Decodes the content as one value, and hides the secrets in it everywhere.
    package func decodeStrictly<Value: Decodable>(
        _ type: Value.Type,
        using decoder: any ResponseDecoder
    ) throws -> Value {
        try decoder.decodeStrictly(type, from: data, noting: request.memory)
    }

    /// Returns a value that doesn't need a decoder: data, a string, or nil for an optional type.
    private func raw<Value>(_ type: Value.Type, orFrom decoder: any ResponseDecoder) throws -> Value? {
        if data.isEmpty, let optional = type as? any OptionalValue.Type { return optional.empty as? Value }
        if type == Data.self || type == Data?.self { return data as? Value }
        if type == String.self || type == String?.self {
            if let text { return text as? Value }
            let context = DecodingError.Context(codingPath: [], debugDescription: "the content is not text")
            throw DecodingError.typeMismatch(String.self, context)
        }
        // A decoder of the user's own may have a value for empty content.
        guard data.isEmpty, decoder is JSONDecoder else { return nil }
        throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "there is no content"))
    }
}

/// Decodes content as the client does that received it.
struct ResponseDecoding: Sendable {
    var coders = Coders.standard
    /// Returns the decoder that a subclass chooses for the request, as long as the client exists.
    var choose: (@Sendable () -> (any ResponseDecoder)?)?
    /// Logs a warning.
    var warn: (@Sendable (String) -> Void)?
}
