/// What a sound server replies with, by the first component of the path.
enum SoundReplies {
    static let paths = [
        "/json", "/json", "/json", "/items", "/missing", "/unauthorized", "/moved", "/busy", "/empty", "/chunked",
        "/large",
        "/lines", "/events", "/cached", "/cookie", "/closing", "/cut", "/reset",
    ]

    static func reply(to path: String) -> Reply {
        let kind = path.split(separator: "/").first.map { String($0.prefix { $0 != "?" }) } ?? ""
        switch kind {
        case "closing": return reply(status: "200 OK", "Connection: close", body: "{}", end: .close)
        case "cut":
            return Reply(pieces: [[UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8)], end: .close)
        case "reset": return Reply(pieces: [], end: .reset)
        case "chunked":
            let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n1\r\n \r\n0\r\n\r\n"
            return Reply(pieces: [[UInt8](text.utf8)], end: .keep)
        case "missing": return reply(status: "404 Not Found", body: "no")
        case "unauthorized": return reply(status: "401 Unauthorized", "WWW-Authenticate: Basic", body: "who?")
        case "busy": return reply(status: "503 Busy", "Retry-After: 0", body: "")
        case "moved": return reply(status: "302 Found", "Location: /json", body: "")
        case "empty": return reply(status: "200 OK", body: "")
        case "large": return reply(status: "200 OK", body: String(repeating: "0123456789abcdef", count: 4096))
        case "lines": return reply(status: "200 OK", body: "{\"id\": 1}\n{\"id\": 2}\n")
        case "events": return reply(status: "200 OK", "Content-Type: text/event-stream", body: "id: 1\ndata: x\n\n")
        case "items": return reply(status: "200 OK", "Link: </json?page=2>; rel=\"next\"", body: "[{\"id\": 1}]")
        case "cached": return reply(status: "200 OK", "Cache-Control: max-age=60", "ETag: \"1\"", body: "[]")
        case "cookie": return reply(status: "200 OK", "Set-Cookie: a=1; Path=/", body: "[]")
        default: return reply(status: "200 OK", "Content-Type: application/json", body: "[{\"id\": 1}]")
        }
    }

    private static func reply(status: String, _ fields: String..., body: String, end: Reply.End = .keep) -> Reply {
        let head = ["HTTP/1.1 " + status] + fields + ["Content-Length: \(body.utf8.count)"]
        return Reply(pieces: [[UInt8]((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)], end: end)
    }
}
