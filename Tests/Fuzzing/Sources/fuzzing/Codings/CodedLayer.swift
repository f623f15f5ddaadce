/// A way to put a coding around any bytes, without compressing them.
enum CodedLayer: CaseIterable {
    case gzip, deflate, bareDeflate, zstd

    var coding: Coding {
        switch self {
        case .gzip: .gzip
        case .deflate, .bareDeflate: .deflate
        case .zstd: .zstd
        }
    }

    func wrap(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .gzip:
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Self.stored(bytes) + Self.little(Self.checksum(bytes))
                + Self.little(UInt32(truncatingIfNeeded: bytes.count))
        case .deflate: [0x78, 0x01] + Self.stored(bytes) + Self.little(Self.adler(bytes)).reversed()
        case .bareDeflate: Self.stored(bytes)
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD, 0, 0x48] + Self.raw(bytes)
        }
    }

    /// Blocks without compression (RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        blocks(bytes, most: 0xFFFF) { block, isLast in
            let count = UInt16(block.count)
            let lengths = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return [isLast ? 1 : 0] + lengths
        }
    }

    /// Blocks of zstd without compression (RFC 8878 §3.1.1.2).
    private static func raw(_ bytes: [UInt8]) -> [UInt8] {
        blocks(bytes, most: 128 << 10) { block, isLast in
            Array(little(UInt32(block.count) << 3 | (isLast ? 1 : 0)).prefix(3))
        }
    }

    private static func blocks(
        _ bytes: [UInt8],
        most: Int,
        header: (ArraySlice<UInt8>, _ isLast: Bool) -> [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(most)
            rest = rest.dropFirst(most)
            result += header(block, rest.isEmpty) + block
        } while !rest.isEmpty
        return result
    }

    private static func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> ($0 * 8) & 0xFF) } }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            first = (first + UInt32(byte)) % 65521
            second = (second + first) % 65521
        }
        return second << 16 | first
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
    }
}
