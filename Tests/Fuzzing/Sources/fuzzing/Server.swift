#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// A server on loopback that reads requests and replies with the bytes it is told to, on a thread for each connection.
struct Server {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let socket = Self.makeSocket()
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 4096) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard listens else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        listener = socket
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Serves until the process ends.
    func serve(_ reply: @escaping @Sendable (_ path: String) -> Reply) -> Never {
        signal(SIGPIPE, SIG_IGN)
        while true {
            let socket = accept(listener, nil, nil)
            guard socket >= 0 else { continue }
            var yes: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            let thread = Thread { Connection(socket: socket).serve(reply) }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private static func makeSocket() -> Int32 { socket(AF_INET, number(SOCK_STREAM), 0) }
}

/// One connection: request after request, until either side ends it.
private struct Connection {
    let socket: Int32

    func serve(_ reply: (String) -> Reply) {
        var received: [UInt8] = []
        while let path = nextPath(&received) {
            let reply = reply(path)
            if reply.delay > 0 { usleep(reply.delay) }
            for (index, piece) in reply.pieces.enumerated() {
                // The client reads what came so far before the rest comes, as far as one can have it so.
                if index > 0 { sched_yield() }
                if !piece.isEmpty, send(socket, piece, piece.count, 0) < 0 { return finish(.reset) }
            }
            if reply.isEndless, let last = reply.pieces.last {
                while send(socket, last, last.count, 0) > 0 {}
                return finish(.close)
            }
            if reply.end != .keep { return finish(reply.end) }
        }
        finish(.close)
    }

    /// Reads one request with its content, and gives its path; nil at the end, or where no request comes.
    private func nextPath(_ received: inout [UInt8]) -> String? {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            if let head = received.firstRange(of: [13, 10, 13, 10]) {
                let text = String(decoding: received[..<head.lowerBound], as: UTF8.self)
                let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
                guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
                if let rest = Self.afterContent(of: text.lowercased(), in: received[head.upperBound...]) {
                    received = Array(rest)
                    return String(words[1])
                }
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            received += chunk[..<count]
        }
    }

    /// What follows a request's content; nil while some of it is missing.
    private static func afterContent(of head: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // A client that waits for a 100 gets the final reply at once.
        if head.contains("\r\nexpect:") { return [] }
        if head.contains("\r\ntransfer-encoding:") {
            return bytes.firstRange(of: [UInt8]("0\r\n\r\n".utf8)).map { bytes[$0.upperBound...] }
        }
        guard let field = head.firstRange(of: "\r\ncontent-length:") else { return bytes }
        let count = Int(head[field.upperBound...].drop { $0 == " " }.prefix(while: \.isNumber)) ?? 0
        return bytes.count < count ? nil : bytes.dropFirst(count)
    }

    private func finish(_ end: Reply.End) {
        if end == .reset {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        _ = close(socket)
    }
}

// An enumeration's case in glibc, a number elsewhere.
private func number<Constant: RawRepresentable>(_ constant: Constant) -> Int32 where Constant.RawValue: BinaryInteger {
    Int32(constant.rawValue)
}

private func number(_ constant: Int32) -> Int32 { constant }
