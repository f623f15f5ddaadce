/// Decides what to answer to one request, and whether it is the redirect.
struct LoopbackAnswer {
    /// The redirect's address, if it was it.
    var redirect: URL?
    private let status: String
    private let text: String

    init(to head: String, redirectURI: URL, accepts: (URL) -> Bool) {
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
            self.init("400 Bad Request", "This is not a request that can be answered.")
            return
        }
        let base = "http://127.0.0.1:\(redirectURI.port ?? 80)"
        // A page somewhere else can make its own name lead here; the browser then says that name.
        guard lines.contains(where: { "http://" + Self.host($0) == base }) else {
            self.init("400 Bad Request", "This address goes by the name 127.0.0.1 alone.")
            return
        }
        guard words[0] == "GET" else {
            self.init("405 Method Not Allowed", "Only GET is answered here.")
            return
        }
        guard let url = URL(string: base + words[1]), url.path == redirectURI.path else {
            self.init("404 Not Found", "There is nothing here.")
            return
        }
        guard accepts(url) else {
            self.init("400 Bad Request", "This is not the sign-in that the program waits for.")
            return
        }
        self.init("200 OK", "The program has its answer. You can close this page.")
        redirect = url
    }

    private init(_ status: String, _ text: String) {
        self.status = status
        self.text = text
    }

    /// The answer as it is sent.
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
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
