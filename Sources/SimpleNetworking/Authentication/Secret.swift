/// Holds a password, a token or another text that must never show in a log.
///
/// It prints as `‹secret›` everywhere: in descriptions, string interpolation, errors, `dump` and debuggers, also as a part
/// of another value. Only ``reveal()`` and an encoder give the text away.
///
/// ```text
/// print(Secret("s3cret"))             ‹secret›
/// Secret("s3cret").reveal()           s3cret
/// ```
public struct Secret: Sendable {
    private let value: String

    /// Keeps a text secret.
    public init(_ value: String) { self.value = value }

    /// Gives the text, for sending or storing it.
    public func reveal() -> String { value }

    /// Tells whether there is no text.
    public var isEmpty: Bool { value.isEmpty }
}

extension Secret: Hashable {
    /// Tells whether two secrets have the same bytes, in a time that depends on their lengths alone.
    ///
    /// Whoever can try texts out and measure the answer's time learns nothing of where they begin to differ.
    public static func == (left: Secret, right: Secret) -> Bool {
        let left = Array(left.value.utf8)
        let right = Array(right.value.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    /// Feeds the text to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// Encoded as the plain text, since a store has to keep it: what an encoder wrote is to be protected by whoever asked for it.
extension Secret: Codable {
    /// Reads a plain text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the plain text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `‹secret›`.
    public var description: String { Redaction.mark }

    /// `‹secret›`.
    public var debugDescription: String { Redaction.mark }

    /// Shows nothing of the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
