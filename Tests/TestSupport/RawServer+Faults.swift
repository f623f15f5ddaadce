import Foundation

extension RawServer.Reply {
    /// Sends a RST instead of a response.
    package static let reset = Self([], end: .reset)

    /// Closes the connection without a response.
    package static let closed = Self([], end: .close)

    /// Accepts and reads the request, and never responds.
    package static let silence = Self([], end: .silence)

    /// Closes in the middle of a header line.
    ///
    /// FoundationNetworking's URLSession does not survive this one.
    package static let cutHeaders = Self.raw("HTTP/1.1 200 OK\r\nContent-Type: text/pl")

    /// Promises 100 bytes, sends 10, and closes.
    package static let truncated = Self.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789")

    /// Promises 100 bytes, sends 10, and sends a RST.
    package static let truncatedByReset = Self.raw(
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789",
        end: .reset
    )

    /// Promises 100 bytes, sends 10, and falls silent.
    package static let stalled = Self.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789", end: .silence)

    /// Closes in the middle of a chunk.
    package static let truncatedChunk = Self.raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n0123456789"
    )

    /// Closes between two chunks, without the last one.
    package static let missingLastChunk = Self.raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n"
    )

    /// Sends a chunk whose size is no number.
    package static let badChunk = Self.raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n0123456789\r\n0\r\n\r\n"
    )

    /// Sends something that is not HTTP at all.
    package static let garbage = Self.raw("\u{0}\u{1}\u{2} this is not HTTP\r\n\r\nreally not")

    /// Sends a status line with a word in the status's place.
    package static let badStatusLine = Self.raw("HTTP/1.1 abc Nonsense\r\nContent-Length: 0\r\n\r\n")

    /// Says gzip and sends something else.
    package static let badGzip = Self.response(
        headers: ["Content-Encoding": "gzip"],
        body: "this was never gzip",
        end: .close
    )

    /// Sends content for as long as the client reads it, without a length.
    package static let endless = Self(
        [
            .send(Data("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n".utf8)),
            .flood(Data(repeating: 0x61, count: 64 << 10)),
        ],
        end: .close
    )

    /// Sends trailer fields.
    ///
    /// FoundationNetworking's URLSession does not survive this one.
    package static let trailers = Self.chunked(["hello"], headers: ["Trailer": "X-Sum"], trailers: ["X-Sum: 42"])

    /// Has no reason phrase, and no blank before it.
    package static let noReason = Self.raw("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", end: .keepAlive)

    /// Has a header value in Latin-1.
    package static let latin1Header = Self(
        [
            .send(
                Data("HTTP/1.1 200 OK\r\nX-City: Malm".utf8) + Data([0xF6])
                    + Data("\r\nContent-Length: 2\r\n\r\nok".utf8)
            )
        ]
    )

    /// Has one header field of so many bytes.
    package static func hugeHeader(bytes: Int = 4 << 20) -> Self {
        .response(headers: ["X-Huge": String(repeating: "h", count: bytes)], body: "ok", end: .close)
    }

    /// Responds, lets the client think that the connection stays, and closes it.
    package static func closingQuietly(body: String = "ok") -> Self { .response(body: body, end: .close) }

    /// Closes a reused connection without a response, and responds on a fresh one.
    package static func closedIfReused(
        _ request: RawServer.Request,
        else reply: Self = .response(body: "fresh")
    ) -> Self {
        request.earlierOnConnection > 0 ? .closed : reply
    }

    /// Sends the content byte by byte with a pause before each.
    package static func drip(_ text: String, every seconds: TimeInterval) -> Self {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n".utf8)
        return Self([.send(head)] + text.utf8.flatMap { [.pause(seconds), .send(Data([$0]))] })
    }
}
