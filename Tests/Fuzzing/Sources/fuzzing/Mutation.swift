/// Makes a reply that no sound server sends out of those that servers do send.
struct Mutation {
    let seeds: [[UInt8]]

    private static let tokens: [[UInt8]] = [
        " ", "\t", "\r", "\n", "\r\n", "\r\n\r\n", "\r\n ", "\0", ":", ",", ";", "\"", "\u{80}", "-", "+",
        "0", "-1", "2147483648", "9223372036854775807", "-9223372036854775808", "99999999999999999999",
        "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "Content-Encoding: gzip\r\n", "Content-Encoding: deflate\r\n", "Connection: close\r\n",
        "Connection: keep-alive\r\n",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.0 ", "Set-Cookie: ", "Location: /0/x\r\n",
        "WWW-Authenticate: Basic\r\n", "Retry-After: ", "Link: <", "Cache-Control: max-age=", "Expires: ", "Age: ",
        "ETag: \"", "Content-Range: bytes ", "Content-Type: text/event-stream\r\n", "Vary: *\r\n",
    ].map { [UInt8]($0.utf8) }

    /// Makes the reply to a path, the same each time.
    func reply(to path: String, seed: UInt64) -> Reply {
        var random = SeededGenerator(seed: seed, path: path)
        var bytes = pick(&random)
        // One in eight stays as it is: what comes after a sound reply matters too.
        for _ in 0..<(Int.random(in: 0..<8, using: &random) == 0 ? 0 : Int.random(in: 1...5, using: &random)) {
            change(&bytes, &random)
        }
        let end = Reply.End.allCases.randomElement(using: &random) ?? .close
        return Reply(pieces: cut(bytes, &random), end: end)
    }

    private func pick(_ random: inout SeededGenerator) -> [UInt8] { seeds.randomElement(using: &random) ?? [] }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let span = place..<min(bytes.count, place + Int.random(in: 0...40, using: &random))
        let kind = Int.random(in: 0..<8, using: &random)
        if bytes.change(kind, in: span, &random, spliceWith: pick) { return }
        if kind == 6 {
            startOfLine(in: &bytes, after: place, &random)
        } else {
            bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
        }
    }

    /// Puts a token where a line begins, which is where parsers decide.
    private func startOfLine(in bytes: inout [UInt8], after place: Int, _ random: inout SeededGenerator) {
        let line = bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: line)
    }

    private func cut(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        guard bytes.count > 1, Int.random(in: 0..<3, using: &random) == 0 else { return [bytes] }
        let place = Int.random(in: 1..<bytes.count, using: &random)
        return [Array(bytes[..<place]), Array(bytes[place...])]
    }
}

extension [UInt8] {
    /// Makes one of six changes to a part, or from there on; returns false, and changes nothing, for other kinds, and for
    /// a single byte at the end.
    mutating func change(
        _ kind: Int,
        in span: Range<Int>,
        _ random: inout SeededGenerator,
        spliceWith pick: (inout SeededGenerator) -> [UInt8]
    ) -> Bool {
        let place = span.lowerBound
        switch kind {
        case 0 where place < count: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < count: self[place] = UInt8.random(in: 0...255, using: &random)
        case 2: removeSubrange(span)
        case 3: insert(contentsOf: Array(self[span]), at: place)
        case 4: removeSubrange(place...)
        case 5:
            let other = pick(&random)
            replaceSubrange(place..., with: other[Int.random(in: 0...other.count, using: &random)...])
        default: return false
        }
        return true
    }
}
