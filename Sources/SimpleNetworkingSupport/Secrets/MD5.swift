/// Computes MD5 digests (RFC 1321), which servers still ask for in Digest authentication; it protects nothing else.
package enum MD5 {
    /// The digest, 16 bytes.
    package static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        let message = padded(Array(bytes))
        for start in stride(from: 0, to: message.count, by: 64) { compress(message[start..<start + 64], into: &state) }
        return state.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
    }

    /// The bytes, a one bit, zeros, and the length in bits.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        let bits = UInt64(bytes.count) &* 8
        for shift in stride(from: UInt64(0), through: 56, by: 8) {
            message.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        return message
    }

    private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let words = (0..<16).map { word in
            (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
        }
        var a = state[0]
        var b = state[1]
        var c = state[2]
        var d = state[3]
        for step in 0..<64 {
            let mixed: UInt32
            let word: Int
            switch step / 16 {
            case 0:
                mixed = b & c | ~b & d
                word = step
            case 1:
                mixed = d & b | ~d & c
                word = (5 * step + 1) % 16
            case 2:
                mixed = b ^ c ^ d
                word = (3 * step + 5) % 16
            default:
                mixed = c ^ (b | ~d)
                word = 7 * step % 16
            }
            let sum = a &+ mixed &+ constants[step] &+ words[word]
            let shift = shifts[step / 16][step % 4]
            a = d
            d = c
            c = b
            b = b &+ (sum << shift | sum >> (32 - shift))
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    /// The fractions of sines.
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
