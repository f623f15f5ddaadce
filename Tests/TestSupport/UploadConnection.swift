import Foundation

/// Reads the requests of one connection to an upload server.
struct UploadConnection {
    private struct Head {
        let method: String
        let path: String
        let fields: [String: String]

        var length: Int { fields["content-length"].flatMap { Int($0) } ?? 0 }
        var offset: Int? { fields["upload-offset"].flatMap { Int($0) } }
        /// The number of the upload that the path names.
        var number: Int? { path.hasPrefix("/uploads/") ? Int(path.dropFirst("/uploads/".count)) : nil }
    }

    let socket: Int32
    let core: UploadServer.Core
    private var buffer = Data()

    init(socket: Int32, core: UploadServer.Core) {
        self.socket = socket
        self.core = core
    }

    func run() {
        var connection = self
        while let head = connection.readHead(), connection.serve(head) {}
    }

    private mutating func serve(_ head: Head) -> Bool {
        switch (head.method, head.number) {
        case ("HEAD", let number?): return sendState(of: number)
        case ("PATCH", let number?): return append(head, to: number)
        case (_, nil): return begin(head)
        default: return respond("404 Not Found")
        }
    }

    private mutating func begin(_ head: Head) -> Bool {
        let number = core.begin()
        let offer = "\(versionField)Location: /uploads/\(number)\r\n"
        if core.rules.refusesFirst {
            guard read(head.length, keeping: head.length / 2, for: number) else { return false }
            return respond("503 Service Unavailable", offer)
        }
        guard send("HTTP/1.1 104 Upload Resumption Supported\r\n\(offer)\r\n") else { return false }
        return receive(head, for: number)
    }

    private mutating func append(_ head: Head, to number: Int) -> Bool {
        guard let upload = core.upload(number), head.offset == upload.received else { return respond("409 Conflict") }
        return receive(head, for: number)
    }

    /// Receives content, up to the place where the connection is cut, and responds.
    private mutating func receive(_ head: Head, for number: Int) -> Bool {
        if head.fields["expect"] != nil, !send("HTTP/1.1 100 Continue\r\n\r\n") { return false }
        let cut = core.nextCut(within: head.length)
        let count = cut ?? head.length
        guard read(count, keeping: count, for: number) else { return false }
        if let cut {
            // Both ways to lose a connection.
            if cut % 2 == 0 { Socket.resetOnClose(socket) }
            return false
        }
        return respond("201 Created", versionField + stateFields(of: number))
    }

    /// Reads content, and takes over its first bytes.
    private mutating func read(_ count: Int, keeping kept: Int, for number: Int) -> Bool {
        var done = 0
        while done < count {
            if buffer.isEmpty {
                guard let more = Socket.receive(from: socket) else { return false }
                buffer = more
            }
            let piece = buffer.prefix(count - done)
            core.take(piece.prefix(max(0, kept - done)), for: number)
            buffer = buffer.dropFirst(piece.count)
            done += piece.count
        }
        return true
    }

    private func sendState(of number: Int) -> Bool {
        guard core.upload(number) != nil else { return respond("404 Not Found") }
        return send("HTTP/1.1 204 No Content\r\n\(versionField)\(stateFields(of: number))\r\n")
    }

    private var versionField: String { "Upload-Draft-Interop-Version: \(core.rules.version)\r\n" }

    private func stateFields(of number: Int) -> String {
        let received = core.upload(number)?.received ?? 0
        let isComplete = received == core.rules.length
        let isOld = core.rules.version < 5
        let flag = isComplete != isOld ? "?1" : "?0"
        return "Upload-Offset: \(received)\r\n\(isOld ? "Upload-Incomplete" : "Upload-Complete"): \(flag)\r\n"
    }

    private func respond(_ status: String, _ fields: String = "") -> Bool {
        send("HTTP/1.1 \(status)\r\n\(fields)Content-Length: 0\r\n\r\n")
    }

    private func send(_ text: String) -> Bool { Socket.send(Data(text.utf8), to: socket) }

    private mutating func readHead() -> Head? {
        let mark = Data("\r\n\r\n".utf8)
        while true {
            if let end = buffer.range(of: mark) {
                let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                buffer = buffer[end.upperBound...]
                let words = lines[0].components(separatedBy: " ")
                guard words.count == 3 else { return nil }
                let fields = lines.dropFirst().map { line -> (String, String) in
                    let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                    return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
                }
                return Head(method: words[0], path: words[1], fields: Dictionary(fields) { $1 })
            }
            guard let more = Socket.receive(from: socket) else { return nil }
            buffer += more
        }
    }
}
