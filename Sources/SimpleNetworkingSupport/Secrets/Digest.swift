/// The first half of a SHA-256 digest, stored instead of text that must not be kept.
package struct Digest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    /// Digests strings and the boundaries between them.
    package init(_ texts: [String], salt: [UInt8]) {
        var hash = SHA256()
        hash.update(salt)
        for text in texts {
            withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { hash.update($0) }
            hash.update(text.utf8)
        }
        let bytes = hash.finish()
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads 32 hexadecimal digits.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
        // No signs or capitals, because a digest has only one string form.
        guard self.text == text else { return nil }
    }

    /// Returns random bytes, so that digests made with them say nothing without them.
    package static func randomSalt() -> [UInt8] { (0..<32).map { _ in .random(in: 0...255) } }

    /// The digest as 32 hexadecimal digits.
    package var text: String { high.hexadecimal + low.hexadecimal }
}
