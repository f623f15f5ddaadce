import Foundation
import SimpleNetworkingCore
import SimpleNetworkingSupport

extension RawServer {
    /// What the server does about one request: some steps, then what becomes of the connection.
    package struct Reply: Sendable {
        package enum Step: Sendable {
            /// Sends bytes as they are.
            case send(Data)
            /// Sends bytes, unless the request was a HEAD.
            case content(Data)
            /// Waits for a latch to be opened; continues early when the peer hangs up or the server stops.
            case hold(Latch)
            /// Waits so many seconds.
            case pause(TimeInterval)
            /// Sends the same bytes again and again until the peer hangs up or the server stops.
            case flood(Data)
            /// Sends bytes, and tells how that goes.
            case pour(Data, Flow)
        }

        package enum End: Sendable {
            /// Waits for the next request.
            case keepAlive
            /// Closes orderly.
            case close
            /// Sends a RST.
            case reset
            /// Says nothing more until the peer hangs up.
            case silence
        }

        package var steps: [Step]
        package var end: End

        package init(_ steps: [Step], end: End = .keepAlive) {
            self.steps = steps
            self.end = end
        }

        /// Sends text as it is; `\r\n` is the writer's business.
        package static func raw(_ text: String, end: End = .close) -> Reply {
            Reply([.send(Data(text.utf8))], end: end)
        }
    }

    /// Holds a reply back until the test lets it go.
    package final class Latch: Sendable {
        private let isOpened = Locked(false)

        package init() {}

        package func open() { isOpened.withLock { $0 = true } }

        package var isOpen: Bool { isOpened.withLock { $0 } }
    }
}

// MARK: - Proper responses

extension RawServer.Reply {
    /// Sends an ordinary response with a `Content-Length`.
    package static func response(
        status: Int = 200,
        reason: String = "Status",
        headers: KeyValuePairs<String, String> = [:],
        body: String = "",
        end: End = .keepAlive
    ) -> Self {
        response(status: status, reason: reason, headers: headers, data: Data(body.utf8), end: end)
    }

    /// Sends an ordinary response with a `Content-Length`; statuses that have no content get none.
    package static func response(
        status: Int = 200,
        reason: String = "Status",
        headers: KeyValuePairs<String, String> = [:],
        data: Data,
        end: End = .keepAlive
    ) -> Self {
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        guard status != 204, status != 304 else { return Self([.send(Data((head + "\r\n").utf8))], end: end) }
        head += "Content-Length: \(data.count)\r\n\r\n"
        return Self([.send(Data(head.utf8)), .content(data)], end: end)
    }

    /// Sends a JSON response.
    package static func json(_ json: String, status: Int = 200) -> Self {
        response(status: status, headers: ["Content-Type": "application/json"], body: json)
    }

    /// Tells what arrived, as a JSON object: `method`, `target`, `headers` (lines), `body` (text), `length`.
    package static func echo(_ request: RawServer.Request) -> Self {
        let object: [String: Any] = [
            "method": request.method, "target": request.target, "headers": request.headerLines,
            "body": request.text, "length": request.body.count,
        ]
        let data = (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
        return response(headers: ["Content-Type": "application/json"], data: data)
    }

    /// Sends the request's content back.
    package static func mirror(_ request: RawServer.Request) -> Self { response(data: request.body) }

    /// A redirect, with a small body of its own.
    ///
    /// For an endless loop let it name its own path.
    package static func redirect(to location: String, status: Int = 302, body: String = "moved") -> Self {
        response(status: status, headers: ["Location": location], body: body)
    }

    /// A 401 with a challenge and a body.
    package static func unauthorized(
        _ challenge: String = #"Basic realm="test""#,
        body: String = "who are you?"
    ) -> Self {
        response(status: 401, headers: ["WWW-Authenticate": challenge], body: body)
    }

    /// Sends a response in chunks, optionally with trailer fields.
    package static func chunked(
        _ chunks: [String],
        headers: KeyValuePairs<String, String> = [:],
        trailers: [String] = []
    ) -> Self {
        var text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        text += "\r\n"
        for chunk in chunks { text += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n" }
        text += "0\r\n" + trailers.map { $0 + "\r\n" }.joined() + "\r\n"
        return .raw(text, end: .keepAlive)
    }

    /// Sends a 103 with a Link, then the response.
    package static func earlyHints(body: String = "late") -> Self {
        let hints = Data("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".utf8)
        let final = response(body: body)
        return Self([.send(hints)] + final.steps)
    }

    /// Sends a response whose content comes in parts; each part waits for its latch.
    package static func parts(_ parts: [(Latch, String)], type: String? = nil) -> Self {
        let length = parts.reduce(0) { $0 + $1.1.utf8.count }
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let head = "HTTP/1.1 200 OK\r\n\(field)Content-Length: \(length)\r\n\r\n"
        return Self([.send(Data(head.utf8))] + parts.flatMap { [.hold($0.0), .send(Data($0.1.utf8))] })
    }

    /// Holds this reply back until the latch is opened.
    package func held(by latch: Latch) -> Self { Self([.hold(latch)] + steps, end: end) }

    /// Holds this reply back for so many seconds.
    package func delayed(by seconds: TimeInterval) -> Self { Self([.pause(seconds)] + steps, end: end) }

    package typealias Latch = RawServer.Latch
}
