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

    /// The digest as 32 hexadecimal digits.
    package var text: String { high.hexadecimal + low.hexadecimal }
}

/// Detects accidental changes of bytes, but not deliberate ones.
package enum Checksum {
    /// Continues the sum of earlier bytes.
    ///
    /// Each step is reversible, so two inputs of the same length that differ in one word have different sums.
    package static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        var sum = start
        var offset = 0
        while offset + 8 <= bytes.count {
            sum = step(sum, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        while offset < bytes.count {
            sum = step(sum, UInt64(bytes[offset]))
            offset += 1
        }
        return sum
    }

    private static func step(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (sum ^ word) &* 0x0000_0100_0000_01b3
        return mixed << 29 | mixed >> 35
    }
}
