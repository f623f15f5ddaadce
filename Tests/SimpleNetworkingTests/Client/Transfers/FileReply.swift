import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworkingCore

/// Describes the response for a file, with ranges as in RFC 9110, or with deviations that a test sets.
struct FileReply: Sendable {
    static let content = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    var content = FileReply.content
    /// What names the content, as header lines.
    var fields = ["ETag: \"1\""]
    /// How many bytes of content come before the connection is closed; nil for all.
    var cut: Int?
    /// The first byte that a partial response claims, if it is wrong.
    var wrongFirst: Int?

    /// Starts a server that sends the responses one after the other, and then repeats the last one.
    static func serve(_ replies: FileReply...) throws -> RawServer {
        let count = Locked(0)
        return try RawServer { request in
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, replies.count - 1)
            }
            return replies[index].reply(to: request)
        }
    }

    func reply(to request: RawServer.Request) -> RawServer.Reply {
        var first = 0
        if let range = request[header: "Range"], let condition = request[header: "If-Range"],
            fields.contains(where: { $0.hasSuffix(": " + condition) })
        {
            first = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            guard first < content.count else {
                return .response(status: 416, headers: ["Content-Range": "bytes */\(content.count)"], body: "no part")
            }
        }
        let part = content[first...]
        var lines = ["HTTP/1.1 \(first > 0 ? 206 : 200) Status"] + fields + ["Content-Length: \(part.count)"]
        if first > 0 {
            lines.append("Content-Range: bytes \(wrongFirst ?? first)-\(content.count - 1)/\(content.count)")
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return RawServer.Reply(
            [.send(Data(head.utf8)), .content(Data(part.prefix(cut ?? part.count)))],
            end: cut == nil ? .keepAlive : .close
        )
    }
}
