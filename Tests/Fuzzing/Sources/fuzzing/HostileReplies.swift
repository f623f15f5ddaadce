/// What a server replies with that wants its client to serve nobody else; and one that is sound, and takes its time.
enum HostileReplies {
    /// The paths of replies without end.
    static let paths = ["/extension", "/blocks", "/bomb", "/folds"]

    static func reply(to path: String) -> Reply {
        switch path {
        case "/extension": endless("Transfer-Encoding: chunked\r\n\r\n1;", repeating: [UInt8]("e".utf8))
        case "/blocks": endless("Content-Encoding: gzip\r\n\r\n", gzipHeader, repeating: [0, 0, 0, 0xFF, 0xFF])
        case "/bomb": endless("Content-Encoding: gzip\r\n\r\n", gzipHeader, repeating: zeros)
        case "/folds": endless("X-Folded: a", repeating: [UInt8]("\r\n b".utf8))
        default:
            Reply(
                pieces: [[UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)],
                end: .keep,
                delay: 100_000
            )
        }
    }

    private static func endless(_ head: String, _ beginning: [UInt8] = [], repeating unit: [UInt8]) -> Reply {
        var many = unit
        while many.count < 1 << 20 { many += many }
        return Reply(
            pieces: [[UInt8]("HTTP/1.1 200 OK\r\n\(head)".utf8) + beginning, many],
            end: .close,
            isEndless: true
        )
    }

    private static let gzipHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// 65,536 zeros, deflated, which may be repeated.
    static let zeros: [UInt8] =
        [0xEC, 0xC1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A]
        + Array(repeating: 0, count: 63) + [0x6A, 0, 0, 0, 0xFF, 0xFF]
}
