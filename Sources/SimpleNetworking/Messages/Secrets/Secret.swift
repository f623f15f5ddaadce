/// Holds a password, a token or any other text that must never appear in a log.
///
/// It prints as `‹secret›` everywhere: in descriptions, string interpolation, errors, `dump` and debuggers, also as
/// part of another value. Only ``reveal()`` and encoders return the text: a field set to `"Bearer \(secret)"` would send
/// the mark. Comparing two takes a time that depends on their lengths alone.
///
/// ```text
/// print(Secret("s3cret"))             ‹secret›
/// Secret("s3cret").reveal()           s3cret
/// ```
public struct Secret: Sendable {
    private let value: String

    /// Creates a secret of a text.
    public init(_ value: String) { self.value = value }

    /// Returns the text, so that you can send or store it.
    public func reveal() -> String { value }
}

extension Secret: Identified {
    var identity: SecretText { SecretText(text: value) }
}

/// Is compared in a time that depends on the lengths alone: measuring it does not tell where two texts differ.
struct SecretText: Hashable {
    let text: String

    static func == (left: SecretText, right: SecretText) -> Bool {
        let left = Array(left.text.utf8)
        let right = Array(right.text.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

/// Encodes the plain text, since a store has to keep it: protect what an encoder writes.
extension Secret: Codable {
    /// Learns of each secret that is encoded or decoded for a client, since that is one under any name.
    @TaskLocal
    static var memory: SecretMemory?

    /// Decodes a plain text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
        Self.memory?.note(self)
    }

    /// Encodes the plain text.
    public func encode(to encoder: any Encoder) throws {
        Self.memory?.note(self)
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Secret: Described, Redacted {
    /// `‹secret›`.
    var shownText: String { Redaction.mark }
}
