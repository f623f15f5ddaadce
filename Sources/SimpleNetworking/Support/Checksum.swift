/// Finds out whether bytes have changed by accident; it is no protection from whoever changes them on purpose.
enum Checksum {
    /// Adds bytes to the sum of what comes before.
    ///
    /// Each step can be undone: of two texts of one length that differ in one word, the sums differ.
    static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
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
