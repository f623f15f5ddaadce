/// A content coding (RFC 9110 §8.4.1).
enum Coding: String { case gzip, deflate, br, zstd }

/// Content in a chain of codings, mutated: the same for a path and a seed, each time.
struct CodedBytes {
    /// In the order in which they were applied.
    private(set) var codings: [Coding]
    private(set) var bytes: [UInt8]
    private var random: SeededGenerator

    init(path: String, seed: UInt64) {
        random = SeededGenerator(seed: seed, path: path)
        let sample = CodedSamples.all.randomElement(using: &random) ?? CodedSamples.gzip
        codings = [sample.coding]
        bytes = sample.bytes
        mutate()
        for _ in 0..<Int.random(in: 0...3, using: &random) { wrap() }
    }

    private mutating func wrap() {
        let layer = CodedLayer.allCases.randomElement(using: &random) ?? .gzip
        codings.append(layer.coding)
        bytes = layer.wrap(bytes)
        mutate()
    }

    // Most layers stay sound, so that what is below them is reached.
    private mutating func mutate() {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        for _ in 0..<Int.random(in: 1...3, using: &random) { change() }
    }

    private mutating func change() {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let span = place..<min(bytes.count, place + Int.random(in: 0...40, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(span)
        case 3: bytes.insert(contentsOf: Array(bytes[span]), at: place)
        case 4: bytes.removeSubrange(place...)
        case 5:
            let other = CodedSamples.all.randomElement(using: &random)?.bytes ?? []
            bytes.replaceSubrange(place..., with: other[Int.random(in: 0...other.count, using: &random)...])
        default: bytes += bytes
        }
    }

    /// The response with this content, whole or in pieces.
    func reply() -> Reply {
        var random = random
        let isChunked = Bool.random(using: &random)
        let names = codings.map(\.rawValue).joined(separator: ", ")
        let frame = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bytes.count)"
        let head = [UInt8]("HTTP/1.1 200 OK\r\nContent-Encoding: \(names)\r\n\(frame)\r\n\r\n".utf8)
        let message = head + (isChunked ? chunks(&random) : bytes)
        return Reply(pieces: Self.cut(message, &random), end: .keep)
    }

    private func chunks(_ random: inout SeededGenerator) -> [UInt8] {
        var chunks: [UInt8] = []
        for piece in Self.cut(bytes, &random) where !piece.isEmpty {
            chunks += [UInt8]("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
        }
        return chunks + [UInt8]("0\r\n\r\n".utf8)
    }

    private static func cut(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let count = Int.random(in: 0...rest.count, using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces + [Array(rest)]
    }
}
