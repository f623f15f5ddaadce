/// Replies to begin with: a few of each kind that a server may send, sound ones and broken ones.
enum SeedReplies {
    /// Replies of this package's own, or the files of a folder, each of which holds one reply as it goes over the wire.
    static func load(from folder: String?) throws -> [[UInt8]] {
        guard let folder else { return own }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try files.map { try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent($0))) }
    }

    private static let own = (sound + odd + broken).map { [UInt8]($0.utf8) } + [gzip]

    private static let sound = [
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"name\": \"Ada\"}",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\nX-More: 8\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Type: text/plain; charset=\"iso-8859-1\"\r\n\r\nuntil the end",
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nid: 1\r\nevent: a\nretry: 10\n"
            + "data: one\rdata: two\n\n: comment\n\ndata: three\n\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 22\r\n\r\n{\"id\": 1}\n{\"id\": 2}\r\n[]\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/10\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nCache-Control: max-age=60\r\n\r\n",
        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nVary: Accept, Cookie\r\nAge: 3\r\nDate: Tue, 15 Nov 1994 08:12:31 GMT\r\n"
            + "Expires: Tue, 15 Nov 2094 08:12:31 GMT\r\nCache-Control: public, max-age=60, x=\"a, b\"\r\n"
            + "Content-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT\r\n"
            + "Set-Cookie: __Host-b=2; Secure; Path=/; Max-Age=9\r\nContent-Length: 2\r\n\r\n[]",
        "HTTP/1.1 200 OK\r\nLink: </next?page=2>; rel=\"next\"; title*=UTF-8''x, <b>; rel=last\r\nX-Total: 3\r\n"
            + "Content-Length: 37\r\n\r\n{\"items\": [{\"id\": 1}], \"total\": \"900\"}",
        "HTTP/1.1 302 Found\r\nLocation: /1/moved?x=%20#f\r\nContent-Length: 4\r\n\r\ngone",
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: ?\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a, b\", Digest nonce=\"x\"\r\nContent-Length: 2\r\n\r\nno",
        "HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=windows-1251\r\nContent-Length: 4\r\n\r\n\u{411}!!",
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n",
        "HTTP/2 200\r\nContent-Length: 1\r\n\r\nx",
    ]

    private static let odd = [
        "HTTP/1.1 200 OK\r\n X-Fold: yes\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Fold: one\r\n\ttwo\r\n  three\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}",
        "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: aws-chunked\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"../../x\"\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX-\u{e9}: \u{fc}\u{1f600}\r\nContent-Length: 2\r\n\r\nok",
    ]

    private static let broken = [
        "",
        "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, deflate, br\r\nContent-Length: 4\r\n\r\nnope",
        "HTTP/1.1 200 OK\r\n: no name\r\nno colon\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /0/self\r\nContent-Length: 0\r\n\r\n",
        "<html>not HTTP</html>",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]

    private static let gzip: [UInt8] =
        [UInt8]("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n".utf8) + [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36, 5,
            0, 0, 0,
        ]
}
