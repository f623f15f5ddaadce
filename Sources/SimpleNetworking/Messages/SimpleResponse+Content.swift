extension SimpleResponse {
    /// The content as text, in the charset that `Content-Type` names, else UTF-8; nil if it is not such text.
    public var text: String? {
        String(data: data, encoding: MediaType(headers["Content-Type"] ?? "").textEncoding ?? .utf8)
    }

    /// The content as a JSON object, or nil if it is not one.
    public var json: [String: Any]? { jsonObject as? [String: Any] }

    /// The content as a JSON array, or nil if it is not one.
    public var jsonArray: [Any]? { jsonObject as? [Any] }

    /// The content as any JSON value, fragments such as `true` too, or nil if it is not JSON.
    public var jsonObject: Any? { try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }

    /// Decodes the content.
    ///
    /// - Parameters:
    ///   - type: The type to make.
    ///   - decoder: The decoder to use. The default is a plain `JSONDecoder`.
    /// - Returns: The decoded value.
    /// - Throws: `SimpleNetworkingError.decoding`, which names the type and the place, and keeps this response.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    )
        throws -> Value
    {
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw SimpleNetworkingError.decoding(.init(type: type, underlying: error), self)
        }
    }
}
