/// Makes the values of content that need no decoder: bytes, text, and nil for no content.
package enum RawContent {
    /// Makes a value; nil if it needs a decoder.
    ///
    /// - Throws: A `DecodingError` if the content is not text, or there is none.
    package static func value<Value>(
        _ type: Value.Type,
        of data: Data,
        text: @autoclosure () -> String?
    ) throws -> Value? {
        if data.isEmpty, let optional = type as? any OptionalValue.Type { return optional.empty as? Value }
        if type == Data.self || type == Data?.self { return data as? Value }
        if type == String.self || type == String?.self {
            if let text = text() { return text as? Value }
            let context = DecodingError.Context(codingPath: [], debugDescription: "the content is not text")
            throw DecodingError.typeMismatch(String.self, context)
        }
        guard data.isEmpty else { return nil }
        throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "there is no content"))
    }
}
