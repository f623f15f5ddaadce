import SimpleNetworkingSupport

/// Holds a password, a token or any other string that must never appear in a log.
///
/// A secret prints as `‹secret›` in descriptions, string interpolation, errors, `dump` and debuggers, even as part of
/// another value. Only ``reveal()`` and encoders return the original string. A header field with the value
/// `"Bearer \(secret)"` would therefore be sent as `Bearer ‹secret›`. The time needed to compare two secrets depends
/// only on their lengths.
///
/// ```text
/// print(Secret("s3cret"))             ‹secret›
/// Secret("s3cret").reveal()           s3cret
/// ```
public struct Secret: Sendable {
    private let text: String

    /// Creates a secret from a string.
    public init(_ value: String) { text = value }

    /// Returns the original string, so that you can send or store it.
    public func reveal() -> String { text }

    /// Unavailable: only `reveal()` returns the original string, so that it is easy to find.
    @available(*, unavailable, renamed: "reveal()")
    public var value: String { text }
}

extension Secret: Identified {
    var identity: SecretText { SecretText(text: text) }
}

/// Compares strings in a time that depends only on their lengths, so that timing doesn't reveal where they differ.
struct SecretText: Hashable {
    let text: String

    static func == (left: SecretText, right: SecretText) -> Bool {
        let left = Array(left.text.utf8)
        let right = Array(right.text.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

/// Encodes the secret as plain text so that it can be stored. Protect the encoder's output.
extension Secret: Codable {
    /// The memory that records each secret encoded or decoded for a client, so that it is hidden everywhere.
    @TaskLocal
    static var memory: SecretMemory?

    /// Decodes a secret from plain text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
        Self.memory?.note(self)
    }

    /// Encodes the plain text.
    public func encode(to encoder: any Encoder) throws {
        Self.memory?.note(self)
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Secret: Described, Redacted {
    /// `‹secret›`.
    package var shownText: String { Redaction.mark }
}
