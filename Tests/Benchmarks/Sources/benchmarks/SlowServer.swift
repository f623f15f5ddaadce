import Synchronization

/// Responds to each request after a delay, on one thread, however many wait.
final class SlowServer: Sendable {
    let url: URL
    private let listener: Int32
    private let delay: UInt64
    private let pause: UInt64
    private let isStopped = Atomic(false)

    /// Listens on a free port of 127.0.0.1; responds after the delay, and then with a pause before each response.
    init(delay seconds: Double, pause: Double = 0) throws {
        self.pause = UInt64(pause * 1e9)
        listener = socket(AF_INET, number(SOCK_STREAM), 0)
        delay = UInt64(seconds * 1e9)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 4096) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening, let url = URL(string: "http://127.0.0.1:\(address.sin_port.bigEndian)") else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        self.url = url
        Thread.detachNewThread { [self] in serve() }
    }

    /// Closes all connections.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func serve() {
        var sockets = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        // Each waits as long as the others, so the first connection is due first.
        var waiting: [(socket: Int32, due: UInt64)] = []
        var last: UInt64 = 0
        while !isStopped.load(ordering: .relaxed) {
            let now = Clock.now
            let wait = waiting.first.map { $0.due > now ? Int32(($0.due - now) / 1_000_000) + 1 : 0 }
            poll(&sockets, nfds_t(sockets.count), min(wait ?? 100, 100))
            for index in sockets.indices.reversed() where sockets[index].revents != 0 {
                if index == 0 {
                    // All of them, since to look at thousands of sockets for each takes milliseconds.
                    while case let accepted = accept(listener, nil, nil), accepted >= 0 {
                        sockets.append(pollfd(fd: accepted, events: Int16(POLLIN), revents: 0))
                    }
                } else if Self.reads(sockets[index].fd) {
                    last = max(Clock.now + delay, last + pause)
                    waiting.append((sockets[index].fd, last))
                } else {
                    close(sockets.remove(at: index).fd)
                }
            }
            let dueCount = waiting.prefix { $0.due <= Clock.now }.count
            for (socket, _) in waiting.prefix(dueCount) {
                _ = Self.answer.withCString { write(socket, $0, strlen($0)) }
            }
            waiting.removeFirst(dueCount)
        }
        for socket in sockets { close(socket.fd) }
    }

    /// Takes the bytes that have arrived as one request: it is small, and no client sends a second one early.
    private static func reads(_ socket: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            recv(socket, buffer.baseAddress, buffer.count, 0) > 0
        }
    }

    private static let answer: String = {
        let body = """
            {"id":1,"name":"Ada Lovelace","email":"ada@example.com","isActive":true,"score":4.5,\
            "tags":["one","two"],"address":{"street":"1 Main Street","city":"London"}}
            """
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }()
}
