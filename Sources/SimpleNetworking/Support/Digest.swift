/// The first half of a SHA-256 digest: stands for what must not be kept itself.
struct Digest: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// Digests texts; where one ends and the next begins counts.
    init(_ texts: [String], salt: [UInt8]) {
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
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        (self.high, self.low) = (high, low)
        // Neither signs nor capitals: one digest has one text.
        guard self.text == text else { return nil }
    }

    /// 32 hexadecimal digits.
    var text: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
