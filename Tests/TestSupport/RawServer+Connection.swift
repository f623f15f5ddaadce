import Foundation

extension RawServer {
    /// Reads requests from one connection and plays the replies to them, on the thread that calls `run`.
    struct Connection {
        let socket: Int32
        let number: Int
        let core: Core

        private var buffer = Data()
        private var trailerLines: [String] = []

        init(socket: Int32, number: Int, core: Core) {
            self.socket = socket
            self.number = number
            self.core = core
        }

        func run() {
            var connection = self
            var count = 0
            while let request = connection.readHead(after: count) {
                count += 1
                guard connection.serve(request) else { return }
            }
        }

        // MARK: - Reading

        /// Reads the content, replies, and tells whether another request may follow.
        private mutating func serve(_ head: Request) -> Bool {
            if head[header: "Expect"]?.lowercased() == "100-continue" {
                // Unlike the content of others, that of a request with an early reply may not come; if it does, it is
                // read.
                if let early = core.earlyReply(to: head) {
                    return play(early, isHead: head.method == "HEAD") && readBody(of: head) != nil
                }
                guard Socket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: socket) else { return false }
            }
            var request = head
            guard let body = readBody(of: request) else { return false }
            request.body = body
            request.trailerLines = trailerLines
            return play(core.reply(to: request), isHead: request.method == "HEAD")
        }

        private mutating func readHead(after earlier: Int) -> Request? {
            guard let head = readUntil(Data("\r\n\r\n".utf8), limit: 16 << 20) else { return nil }
            let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
            // A method may hold blanks when a client forgot to check it, so the target is what stands before the
            // version.
            let words = lines[0].components(separatedBy: " ")
            guard words.count >= 3 else { return nil }
            return Request(
                method: words.dropLast(2).joined(separator: " "),
                target: words[words.count - 2],
                headerLines: Array(lines.dropFirst()),
                connection: number,
                earlierOnConnection: earlier
            )
        }

        private mutating func readBody(of request: Request) -> Data? {
            if request[header: "Transfer-Encoding"]?.lowercased().contains("chunked") == true { return readChunks() }
            guard let length = request[header: "Content-Length"].flatMap({ Int($0) }) else { return Data() }
            return read(length)
        }

        private mutating func readChunks() -> Data? {
            var body = Data()
            while let line = readUntil(Data("\r\n".utf8), limit: 4096) {
                let digits = String(decoding: line, as: UTF8.self).prefix { $0 != ";" }
                guard let size = Int(digits, radix: 16), size >= 0, let chunk = read(size) else { return nil }
                body += chunk
                if size == 0 { return readTrailers() ? body : nil }
                guard read(2) != nil else { return nil }
            }
            return nil
        }

        private mutating func readTrailers() -> Bool {
            trailerLines = []
            while let trailer = readUntil(Data("\r\n".utf8), limit: 4096) {
                if trailer.isEmpty { return true }
                trailerLines.append(String(decoding: trailer, as: UTF8.self))
            }
            return false
        }

        /// Reads up to a mark, and drops the mark; nil when the peer hangs up before it.
        private mutating func readUntil(_ mark: Data, limit: Int) -> Data? {
            var searched = buffer.startIndex
            while true {
                if let found = buffer.range(of: mark, in: searched..<buffer.endIndex) {
                    let head = Data(buffer[..<found.lowerBound])
                    buffer = Data(buffer[found.upperBound...])
                    return head
                }
                searched = max(buffer.startIndex, buffer.endIndex - mark.count)
                guard buffer.count < limit, let more = Socket.receive(from: socket) else { return nil }
                buffer += more
            }
        }

        private mutating func read(_ count: Int) -> Data? {
            while buffer.count < count {
                guard let more = Socket.receive(from: socket) else { return nil }
                buffer += more
                if core.pause > 0, buffer.count < count / 2 { Thread.sleep(forTimeInterval: core.pause) }
            }
            defer { buffer = Data(buffer.dropFirst(count)) }
            return Data(buffer.prefix(count))
        }

        // MARK: - Replying

        /// Plays a reply, and tells whether another request may follow.
        private func play(_ reply: Reply, isHead: Bool) -> Bool {
            for step in reply.steps {
                guard play(step, isHead: isHead) else { return false }
            }
            switch reply.end {
            case .keepAlive: return true
            case .close: Socket.finish(socket)
            case .reset: Socket.resetOnClose(socket)
            case .silence: while Socket.receive(from: socket) != nil {}
            }
            return false
        }

        private func play(_ step: Reply.Step, isHead: Bool) -> Bool {
            switch step {
            case .send(let data): return Socket.send(data, to: socket)
            case .content(let data): return isHead || Socket.send(data, to: socket)
            case .flood(let data):
                // Content that is always there at once keeps FoundationNetworking's one queue busy, so that for seconds
                // no session of the process gets a turn, not even to cancel.
                while Socket.send(data, to: socket) { Thread.sleep(forTimeInterval: 0.001) }
                return false
            case .pour(let data, let flow):
                guard Socket.send(data, to: socket, onStall: { flow.see(.stalled) }) else { return false }
                flow.see(.sent)
                return true
            case .hold(let latch): return wait { latch.isOpen }
            case .pause(let seconds):
                let end = Date(timeIntervalSinceNow: seconds)
                return wait { Date() >= end }
            }
        }

        private func wait(until isOver: () -> Bool) -> Bool {
            while !isOver() {
                guard !core.isStopped, !Socket.isHungUp(socket) else { return false }
                Thread.sleep(forTimeInterval: 0.002)
            }
            return true
        }
    }
}
