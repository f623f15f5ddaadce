import SimpleNetworkingTesting

extension RandomInput {
    private static let numbers = [
        "0", "1", "2", "3", "5", "7", "10", "60", "-1", "2147483648", "4294967296", "9223372036854775806",
        "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e400", "NaN", "0x10", " 1", "", "*",
    ]

    private static let dates = [
        "Tue, 15 Nov 1994 08:12:31 GMT", "Sun, 06 Nov 2094 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", "Wed, 99 Foo 2020 99:99:99 GMT", "0", "-1",
    ]

    /// A response that refers to the request, rightly or not.
    mutating func response(to request: TransportRequest) -> StubResponse {
        if request.url.path == "/token" {
            return StubResponse.json(
                token(),
                status: pick([200, 200, 200, 400, 401, 500, 302]),
                headers: fields(request)
            )
        }
        let statuses = [
            200, 200, 200, 200, 204, 205, 206, 206, 300, 301, 302, 303, 304, 304, 307, 308, 400, 401, 401, 403, 404,
            412,
            416, 417, 421, 425, 429, 500, 503, 599, 0, -1, 999, .max, .min,
        ]
        var status = pick(statuses)
        if request.headers.contains("Range"), chance(2) { status = 206 }
        if request.headers.contains("If-None-Match"), chance(2) { status = 304 }
        var headers = fields(request)
        if chance(2) { headers["ETag"] = "\"1\"" }
        if let range = request.headers["Range"], chance(2) {
            let start = range.dropFirst("bytes=".count).prefix { $0 != "-" }
            headers["Content-Range"] = "bytes \(start)-\(number())/\(pick(["*", number()]))"
        }
        var response = StubResponse(status: status, headers: headers, body: content())
        if chance(4) { response = response.cut(after: number(0...6)) }
        if chance(8) { response = response.announcing(length: number(0...40)) }
        if chance(12) { response = .failure(pick([.connectionLost, .malformedResponse, .tls])) }
        return response
    }

    private mutating func fields(_ request: TransportRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for _ in 0..<number(0...6) {
            let name = pick([
                "ETag", "ETag", "Content-Range", "Content-Range", "Cache-Control", "Cache-Control", "Age", "Date",
                "Expires", "Last-Modified", "Vary", "Location", "Location", "Link", "Set-Cookie", "Retry-After",
                "WWW-Authenticate", "Content-Type", "Content-Encoding", "Accept-Ranges", "X-Total", "Trailer",
                "Refresh", "Content-Location", "Content-Length",
            ])
            headers.append(name, chance(12) ? anyText() : value(of: name))
        }
        return headers
    }

    private mutating func value(of name: String) -> String {
        switch name {
        case "ETag": pick(["\"1\"", "\"1\"", "\"2\"", "W/\"1\"", "1", "\""])
        case "Content-Range":
            "\(pick(["bytes", "bytes", "Bytes", "items"])) \(pick(["5", number()]))-\(number())/\(pick(["*", number()]))"
        case "Cache-Control":
            list(1...3) { input in
                let directives = [
                    "no-store", "no-cache", "public", "private", "must-revalidate", "immutable",
                    "max-age=\(input.number())",
                    "stale-while-revalidate=\(input.number())", "s-maxage=\(input.number())", "private=\"a, b\"", "\"",
                ]
                return input.pick(directives)
            }.joined(separator: pick([",", ", ", ";"]))
        case "Age", "X-Total", "Content-Length": number()
        case "Retry-After": pick([number(), pick(Self.dates)])
        case "Date", "Expires", "Last-Modified": pick(Self.dates)
        case "Vary": pick(["*", "Accept", "Cookie, Authorization", ","])
        case "Location", "Link", "Content-Location", "Refresh": link(isField: name == "Link")
        case "Set-Cookie":
            "own\(token())=x; \(pick(["Max-Age=\(number())", "Domain=a.test", "Domain=test", "Path=/a", "Expires=\(pick(Self.dates))"]))"
        case "WWW-Authenticate":
            pick(["Basic realm=\"a\"", "Bearer error=\"invalid_token\"", "Digest nonce=\"x\"", ","])
        case "Content-Type":
            pick([
                "application/json", "text/event-stream", "text/plain; charset=\(token())", "multipart/byteranges", "",
            ])
        case "Content-Encoding": pick(["gzip", "identity", "br, gzip", ""])
        default: pick(["bytes", "none", token()])
        }
    }

    private mutating func link(isField: Bool) -> String {
        let target = pick([
            "/a", "/b?page=\(number())", "?page=\(number())", "https://a.test/b", "https://b.test/a", "http://a.test/a",
            "//b.test/", "https://a.test:444/", "https://user:word@a.test/a", "https://a.test@b.test/", "", "#",
            "file:///x",
            "https://[::1]/", "https://xn--/", "a:b", anyText(),
        ])
        return isField ? "<\(target)>; rel=\(pick(["next", "\"next prev\"", "prev", token()]))" : target
    }

    private mutating func content() -> Data {
        if chance(3) { return bytes(0...40) }
        return Data(
            pick([
                "hello world", "[1, 2, 3]", "[]", "{}", "id: \(number())\nretry: \(number())\ndata: x\n\n",
                "a\nb\r\n\r\nc",
                "{\"items\": [1, 2], \"next\": \"\(link(isField: false).filter { $0 != "\"" })\", \"cursor\": \"\(token())\"}",
                "{\"items\": [1], \"page\": \(number()), \"per_page\": \(number()), \"total_pages\": \(number())}",
                "{\"items\": [], \"total\": \(number()), \"offset\": \"\(number())\", \"limit\": \(number())}",
            ]).utf8
        )
    }

    private mutating func token() -> String {
        let expires = pick(["3600", "0", "-1", "1e300", "\"60\"", "null", number()])
        return "{\"access_token\": \"token-\(number(1...3))\", \"token_type\": \"\(pick(["bearer", "mac", ""]))\", "
            + "\"expires_in\": \(expires), \"refresh_token\": \(pick(["\"again\"", "null", "1"]))}"
    }

    private mutating func number() -> String { pick(Self.numbers) }
}
