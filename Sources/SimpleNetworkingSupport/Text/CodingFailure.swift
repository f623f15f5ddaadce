/// Describes where and why a value could not be encoded or decoded.
package struct CodingFailure {
    /// The coding path of the value, such as `items.0.name`; empty for the whole content.
    package let path: String
    /// The coder's own error message.
    package let words: String

    package init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(context.codingPath + [key], context.debugDescription)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            self.init(context.codingPath, context.debugDescription)
        case EncodingError.invalidValue(_, let context): self.init(context.codingPath, context.debugDescription)
        default: self.init([], "\(error)")
        }
    }

    private init(_ path: [any CodingKey], _ words: String) {
        self.path = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        self.words = words
    }

    /// The path as the end of a sentence; empty for the whole content.
    package var place: String { path.isEmpty ? "" : " at \(path)" }
}
