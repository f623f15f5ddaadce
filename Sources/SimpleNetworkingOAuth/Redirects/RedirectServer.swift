import SimpleNetworkingSupport

/// Serves connections until the redirect arrives, on the thread that calls `run()`.
///
/// It reads all connections at once, because browsers open additional connections that they never use.
struct RedirectServer: Sendable {
    private struct Connection {
        let socket: Int32
        var head: [UInt8] = []

        var isComplete: Bool { head.suffix(4).elementsEqual("\r\n\r\n".utf8) }
    }

    private enum Outcome {
        case closed
        case redirect(URL)
        case lastResort(URL)
    }

    private static let maxConnections = 32
    private static let maxHeadSize = 16 << 10

    let listener: Int32
    /// Becomes readable on cancellation.
    let alarm: Int32
    let seconds: TimeInterval
    let redirectURI: URL
    /// Returns whether a URL that is not accepted ends the wait when the time is over.
    let isLastResort: @Sendable (URL) -> Bool
    let accepts: @Sendable (URL) -> Bool

    func run() throws -> URL {
        let clock = SystemClock()
        let end = clock.now + seconds
        var connections: [Connection] = []
        var lastResort: URL?
        defer { connections.map(\.socket).forEach(RedirectSocket.close) }
        while true {
            let ready = try RedirectSocket.readable(
                among: [alarm, listener] + connections.map(\.socket),
                within: end - clock.now
            )
            if ready.isEmpty, clock.now >= end {
                guard let lastResort else { throw OAuthError.timedOut(seconds) }
                return lastResort
            }
            if ready.contains(alarm) { throw CancellationError() }
            for (index, connection) in connections.enumerated().reversed() where ready.contains(connection.socket) {
                guard let outcome = serve(&connections[index]) else { continue }
                RedirectSocket.close(connections.remove(at: index).socket)
                switch outcome {
                case .redirect(let url): return url
                case .lastResort(let url): lastResort = url
                case .closed: break
                }
            }
            if ready.contains(listener), let socket = try RedirectSocket.accepted(from: listener) {
                if connections.count == Self.maxConnections { RedirectSocket.close(connections.removeFirst().socket) }
                connections.append(Connection(socket: socket))
            }
        }
    }

    /// Reads the bytes that have arrived and responds to a complete request; returns nil until then.
    private func serve(_ connection: inout Connection) -> Outcome? {
        guard let bytes = RedirectSocket.receive(from: connection.socket) else { return .closed }
        connection.head += bytes
        guard connection.isComplete || connection.head.count > Self.maxHeadSize else { return nil }
        let text = String(decoding: connection.head, as: UTF8.self)
        let response = RedirectResponse(to: text, redirectURI: redirectURI, accepts: accepts)
        RedirectSocket.finish(connection.socket, with: response.bytes)
        if let redirect = response.redirect { return .redirect(redirect) }
        if let other = response.other, isLastResort(other) { return .lastResort(other) }
        return .closed
    }
}

/// Decides how to respond to a request, and whether it was the redirect.
struct RedirectResponse {
    /// The request's URL, if it was the redirect.
    var redirect: URL?
    /// The request's URL, if it was another URL with the same path.
    var other: URL?
    private let status: String
    private let text: String

    init(to head: String, redirectURI: URL, accepts: (URL) -> Bool) {
        let lines = head.pieces(around: "\r\n").map(String.init)
        let words = lines[0].pieces(around: " ").map(String.init)
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
            self.init("400 Bad Request", "This is not a valid request.")
            return
        }
        let base = "http://127.0.0.1:\(redirectURI.port ?? 80)"
        // DNS rebinding: another site's page can make its own host name resolve to this machine.
        guard lines.contains(where: { "http://" + Self.host($0) == base }) else {
            self.init("400 Bad Request", "The host has to be 127.0.0.1.")
            return
        }
        guard words[0] == "GET" else {
            self.init("405 Method Not Allowed", "Only GET is allowed here.")
            return
        }
        guard let url = URL(string: base + words[1]), url.path == redirectURI.path else {
            self.init("404 Not Found", "There is nothing here.")
            return
        }
        guard accepts(url) else {
            self.init("400 Bad Request", "This is not the expected sign-in, for which the program still waits.")
            other = url
            return
        }
        self.init("200 OK", "The program has received the response. You can close this page.")
        redirect = url
    }

    private init(_ status: String, _ text: String) {
        self.status = status
        self.text = text
    }

    /// The response as it is sent.
    var bytes: [UInt8] {
        let page = "<!doctype html><html lang=en><meta charset=utf-8><title>Sign-in</title><p>\(text)</p></html>\n"
        let allow = status.hasPrefix("405") ? "Allow: GET\r\n" : ""
        let head = """
            HTTP/1.1 \(status)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(page.utf8.count)\r
            \(allow)Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            Connection: close\r
            \r

            """
        return Array((head + page).utf8)
    }

    private static func host(_ line: String) -> String {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "host" else { return "" }
        return parts[1].trimmed
    }
}
