import SimpleNetworkingFeatureSupport

/// File content that reveals damage: a checksum and the head's length, 8 bytes each, the head, and the body.
struct SealedContent {
    let head: Data
    let body: Data

    init(head: Data, body: Data) {
        self.head = head
        self.body = body
    }

    /// Reads content sealed with the same name; nil for other or incomplete content.
    init?(_ bytes: Data, name: [Digest]) {
        let content = bytes.dropFirst(8)
        let rest = content.dropFirst(8)
        guard let length = content.word, bytes.word == Self.checksum(of: content, name), length <= rest.count else {
            return nil
        }
        self.init(head: rest.prefix(Int(length)), body: Data(rest.dropFirst(Int(length))))
    }

    /// Starts with the name, so that a renamed file is invalid.
    func sealed(name: [Digest]) -> Data {
        let content = UInt64(head.count).bytes + head + body
        return Self.checksum(of: content, name).bytes + content
    }

    private static func checksum(of bytes: Data, _ name: [Digest]) -> UInt64 {
        let start = name.flatMap { [$0.high, $0.low] }.withUnsafeBytes { Checksum.of($0) }
        return bytes.withUnsafeBytes { Checksum.of($0, after: start) }
    }
}

extension UInt64 {
    fileprivate var bytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}

extension Data {
    /// The number in the first 8 bytes; nil if there are fewer.
    fileprivate var word: UInt64? {
        withUnsafeBytes { $0.count < 8 ? nil : UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }
}

/// Detects accidental changes of bytes, but not deliberate ones.
enum Checksum {
    /// Continues the sum of earlier bytes.
    ///
    /// Each step is reversible, so two inputs of the same length that differ in one word have different sums.
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
