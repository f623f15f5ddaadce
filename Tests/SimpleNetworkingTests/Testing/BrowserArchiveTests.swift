import Foundation
import SimpleNetworkingCookies
import SimpleNetworkingCore
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// HTTP Archives as browsers and proxies write them.
@Suite(.timeLimit(.minutes(2)))
struct BrowserArchiveTests {
    private let folder = ScratchFolder()

    /// An entry as JSON, for a path, or for a method and a path.
    private func har(
        _ line: String,
        _ status: Int,
        _ fields: KeyValuePairs<String, String> = [:],
        content: String = #""size": 0, "mimeType": "x-unknown""#,
        sent: KeyValuePairs<String, String> = [:],
        start: String = "2026-01-01T00:00:01.000Z",
        more: String = ""
    ) -> String {
        func list(_ fields: KeyValuePairs<String, String>) -> String {
            fields.map { name, value in
                let value = value.replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(
                    of: "\"",
                    with: "\\\""
                )
                return #"{"name": "\#(name)", "value": "\#(value)", "comment": ""}"#
            }.joined(separator: ", ")
        }
        let (method, path) =
            line.hasPrefix("/") || line.contains(":")
            ? ("GET", line)
            : (
                String(line.prefix { $0 != " " }), String(line.drop { $0 != " " }.dropFirst())
            )
        let url = path.contains("://") || path.hasPrefix("data:") ? path : "https://api.example.com\(path)"
        return """
            {"startedDateTime": "\(start)", "time": 0, "_resourceType": "fetch", "serverIPAddress": "192.0.2.1",
             "request": {"method": "\(method)", "url": "\(url)", "httpVersion": "h2", "headers": [\(list(sent))],
               "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
             "response": {"status": \(status), "statusText": "", "httpVersion": "h2", "headers": [\(list(fields))],
               "content": {\(content)}, "headersSize": -1, "bodySize": -1, "_transferSize": 90\(more)},
             "cache": {}, "timings": {"blocked": -1, "send": 0, "wait": 0, "receive": 0}}
            """
    }

    private func cassette(_ entries: String..., prefix: String = "") throws -> Cassette {
        let file = folder.url.appendingPathComponent("browser.har")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let text = #"{"log": {"version": "1.2", "creator": {"name": "WebInspector"}, "entries": ["#
        try Data((prefix + text + entries.joined(separator: ",") + "]}}").utf8).write(to: file)
        return Cassette(file, mode: .replay)
    }

    private func client(_ cassette: Cassette, jar: CookieJar? = nil) -> SimpleNetworking {
        SimpleNetworking(over: StubTransport(), through: [cassette]) { $0.cookieJar = jar }
    }

    private let text = #""size": 2, "mimeType": "text/plain", "text": "ok""#

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsFollowed(status: Int) async throws {
        let cassette = try cassette(
            har("/a", status, ["location": "/b"], more: #", "redirectURL": "/b""#),
            har("/b", 200, content: text)
        )
        let response = try await client(cassette).send(SimpleNetworking.get("/a"))
        #expect(response.text == "ok" && response.request.url.path == "/b")
        try cassette.verify()
    }

    /// Some tools write the target of a redirect, but not its fields.
    @Test
    func theRedirectURLStandsForAMissingLocation() async throws {
        let cassette = try cassette(
            har("/a", 302, more: #", "redirectURL": "https://api.example.com/b""#),
            har("/b", 200, content: text)
        )
        #expect(try await client(cassette).send(SimpleNetworking.get("/a")).text == "ok")
    }

    // MARK: What was not sent by an app

    @Test
    func whatABrowserAloneSendsDoesNotMatter() async throws {
        let cassette = try cassette(
            har("OPTIONS /b", 204, ["access-control-allow-origin": "*"]),
            har("/blocked", 0),
            har("data:text/plain,x", 200),
            har("wss://api.example.com/socket", 101),
            har("/b", 200, content: text),
            har("OPTIONS /c", 200),
            har("POST /c", 201),
            har("OPTIONS /d", 200)
        )
        let api = client(cassette)
        #expect(try await api.send(SimpleNetworking.get("/b")).text == "ok")
        #expect(await api.get("/d").ended().value == nil)
        #expect(try await api.send(SimpleNetworking.post("/c")).httpStatus == 201)
        try cassette.verify()
    }

    @Test
    func anOptionsRequestOfTheAppIsReplayed() async throws {
        let cassette = try cassette(
            har("/a", 200, content: text),
            har("OPTIONS /b", 204, ["allow": "GET"]),
            har("/b", 200, content: text)
        )
        let api = client(cassette)
        #expect(await api.get("/b").ended().value == nil)
        _ = try await api.send(SimpleNetworking.get("/a"))
        #expect(try await api.send(SimpleNetworking.options("/b")).headers["Allow"] == "GET")
        #expect(try await api.send(SimpleNetworking.get("/b")).text == "ok")
    }

    /// What a client has recorded itself, it has to send again.
    @Test
    func anOptionsRequestThatAClientRecordedIsExpected() async throws {
        let file = folder.url.appendingPathComponent("own.har")
        let stub = StubTransport().on("*", .status(204))
        let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)])
        _ = try await api.send(SimpleNetworking.options("/b"))
        let cassette = Cassette(file, mode: .replay)
        #expect(throws: (any Error).self) { try cassette.verify() }
        #expect(await client(cassette).get("/b").ended().value == nil)
    }

    /// The browser's cache had the content, and the app's client has no such cache.
    @Test
    func contentOfABrowsersCacheIsReplayedToARequestWithoutAValidator() async throws {
        let fields: KeyValuePairs = ["etag": "\"1\""]
        let cassette = try cassette(
            har("/x", 304, fields, content: text, sent: ["if-none-match": "\"1\""]),
            har("/x", 304, fields, content: text)
        )
        let api = client(cassette)
        let whole = try await api.send(SimpleNetworking.get("/x"))
        #expect(whole.httpStatus == 200 && whole.text == "ok")
        let error = await api.get("/x", headers: ["If-None-Match": "\"1\""]).ended().error
        #expect(error?.response?.httpStatus == 304 && error?.response?.data == Data())
    }

    @Test
    func entriesComeInTheOrderInWhichTheyBegan() async throws {
        let cassette = try cassette(
            har("/x", 200, content: #""text": "second""#, start: "2026-01-01T01:00:02.000+01:00"),
            har("/x", 200, content: #""text": "first""#, start: "2026-01-01T00:00:01.500Z")
        )
        let api = client(cassette)
        for text in ["first", "second"] { #expect(try await api.send(SimpleNetworking.get("/x")).text == text) }
    }

    // MARK: Content

    @Test(arguments: [
        ("é", "text/plain; charset=ISO-8859-1", Data([0xE9])), ("é", "text/plain; charset=utf-8", Data([0xC3, 0xA9])),
        ("é", "text/plain", Data([0xC3, 0xA9])), ("é€", "text/html; charset=\\\"windows-1252\\\"", Data([0xE9, 0x80])),
        ("жé", "text/plain; charset=KOI8-R", nil), ("ж", "text/plain; charset=KOI8-R", Data([0xD6])),
        ("日本", "text/plain; charset=Shift_JIS", Data([0x93, 0xFA, 0x96, 0x7B])),
        ("日本", "text/plain; charset=EUC-JP", nil), ("é", "text/plain; charset=utf-16", Data([0xE9, 0])),
        ("é", "text/plain; charset=no-such", Data([0xC3, 0xA9])),
        ("abc", "text/plain; charset=ISO-8859-1", Data("abc".utf8)),
        ("\\uFEFFé", "text/plain; charset=ISO-8859-1", nil),
    ])
    func textIsEncodedAgain(text: String, type: String, bytes: Data?) async throws {
        let headers = #", "headers": [{"name": "content-type", "value": "\#(type)"}]"#
        let cassette = try cassette(
            har("/x", 200, content: #""size": 1, "mimeType": "\#(type)", "text": "\#(text)""#)
                .replacingOccurrences(
                    of: #", "headers": [],"# + "\n   \"content\"",
                    with: headers + ",\n   \"content\""
                )
        )
        let response = try await client(cassette).send(SimpleNetworking.get("/x"))
        #expect(response.text == text.replacingOccurrences(of: "\\uFEFF", with: ""))
        if let bytes { #expect(response.data == bytes) }
    }

    @Test(arguments: [
        ("é", "text/plain; charset=ISO-8859-1", String.Encoding.isoLatin1),
        ("Ã©", "text/plain; charset=ISO-8859-1", .isoLatin1),
        ("ab", "text/plain; charset=utf-16", .utf16LittleEndian), ("é", "text/plain; charset=utf-8", .utf8),
        ("ab", "application/json", .utf16LittleEndian), ("é", "text/plain", .isoLatin1),
    ])
    func aRecordedArchiveKeepsTheBytesOfText(text: String, type: String, encoding: String.Encoding) async throws {
        let content = try #require(text.data(using: encoding))
        let file = folder.url.appendingPathComponent("own.har")
        for mode in [Cassette.Mode.record, .replay] {
            let stub = StubTransport().on("/x", .data(content, type: type))
            let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: mode)])
            let response = try await api.send(SimpleNetworking.get("/x"))
            #expect(response.data == content && response.headers["Content-Type"] == type)
        }
    }

    /// An archive's content is decoded, whatever its fields say of the content that was sent.
    @Test(arguments: ["gzip", "br", "zstd", "deflate, gzip"])
    func contentIsNotDecodedTwice(coding: String) async throws {
        let fields: KeyValuePairs = [
            "content-type": "application/json", "content-encoding": coding, "content-length": "99",
        ]
        let plain = #""size": 8, "mimeType": "application/json", "text": "{\"id\":1}""#
        let base64 = #""size": 8, "mimeType": "application/json", "text": "eyJp\nZCI6MX0=", "encoding": "base64""#
        let place = try ScratchFile()
        for content in [plain, base64] {
            let once = har("/x", 200, fields, content: content)
            let cassette = try cassette(once, once, once)
            let api = client(cassette)
            let content = Data(#"{"id":1}"#.utf8)
            #expect(try await api.send(SimpleNetworking.get("/x")).data == content)
            #expect(try await api.bytes(for: SimpleNetworking.get("/x")).reduce(into: Data()) { $0 += $1 } == content)
            try await api.download(for: SimpleNetworking.get("/x"), to: place.url)
            #expect(place.content == content)
        }
    }

    @Test
    func aByteOrderMarkAndMissingMembersAreRead() async throws {
        let bare = #"{"request": {"method": "GET", "url": "https://api.example.com/x"}, "response": {"status": 204}}"#
        let unanswered = #"{"request": {"method": "GET", "url": "https://api.example.com/y"}}"#
        let cassette = try cassette(unanswered, bare, prefix: "\u{FEFF}")
        #expect(try await client(cassette).send(SimpleNetworking.get("/x")).httpStatus == 204)
        try cassette.verify()
    }

    /// Firefox writes empty content where there is none, and other tools the fields of a form instead of its text.
    @Test(arguments: [
        #"{"mimeType": "", "text": ""}"#, #"{"mimeType": "", "params": []}"#, #"{}"#,
    ])
    func emptyContentIsNone(data: String) async throws {
        let cassette = try cassette(
            har("POST /x", 204).replacingOccurrences(of: #""queryString": []"#, with: #""postData": \#(data)"#)
        )
        #expect(try await client(cassette).send(SimpleNetworking.post("/x")).httpStatus == 204)
    }

    @Test
    func theFieldsOfAFormAreItsContent() async throws {
        let params =
            #"{"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a b", "value": "1&2"}, {"name": "c", "value": ""}]}"#
        let cassette = try cassette(
            har("POST /x", 204).replacingOccurrences(of: #""queryString": []"#, with: #""postData": \#(params)"#)
        )
        let request = SimpleNetworking.post("/x").body(form: ["a b": "1&2", "c": ""])
        #expect(try await client(cassette).send(request).httpStatus == 204)
    }

    // MARK: Fields

    @Test
    func pseudoFieldsAreNone() async throws {
        let cassette = try cassette(
            har("/x", 204, [":status": "204", "x-a": "1", "x-a": "2"], sent: [":method": "GET", ":path": "/x"])
        )
        let exchange = try #require(try cassette.exchanges().first)
        #expect(exchange.headers.isEmpty)
        let headers = try await client(cassette).send(SimpleNetworking.get("/x")).headers
        #expect(headers.map(\.name) == ["x-a", "x-a"] && headers.values(for: "X-A") == ["1", "2"])
    }

    @Test(arguments: [
        ["a=1; Path=/\nb=2; Path=/"], ["a=1; Path=/", "b=2; Path=/"], ["a=1; Path=/, b=2; Path=/"],
        ["a=1; Path=/\r\nb=2; Path=/"],
    ])
    func cookiesAreSeparateFields(values: [String]) async throws {
        let fields = values.map { #"{"name": "Set-Cookie", "value": "\#($0)"}"# }.joined(separator: ", ")
            .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\r", with: "\\r")
        let cassette = try cassette(
            har("/login", 200, ["x-f": "1"])
                .replacingOccurrences(of: #"{"name": "x-f", "value": "1", "comment": ""}"#, with: fields)
        )
        let jar = CookieJar()
        let response = try await client(cassette, jar: jar).send(SimpleNetworking.get("/login"))
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1; Path=/", "b=2; Path=/"])
        #expect(jar.cookies(for: response.request.url).map(\.pairText) == ["a=1", "b=2"])
    }

    @Test
    func otherFieldsThatABrowserJoinedAreSeparate() async throws {
        let cassette = try cassette(har("/x", 204, ["link": "</a>; rel=next\n</b>; rel=prev"]))
        let headers = try await client(cassette).send(SimpleNetworking.get("/x")).headers
        #expect(headers.values(for: "Link") == ["</a>; rel=next", "</b>; rel=prev"])
    }

    /// Some tools list cookies apart from the fields.
    @Test
    func cookiesWithoutAFieldAreSet() async throws {
        let cookies = """
            , "cookies": [{"name": "a", "value": "1", "path": "/", "domain": "api.example.com", "httpOnly": true, \
            "secure": true, "expires": "2026-01-01T02:00:00.000Z", "sameSite": "Lax"}, {"name": "b", "value": "2"}, \
            {"name": "gone", "value": "", "expires": "1970-01-01T00:00:00.000Z"}]
            """
        let cassette = try cassette(har("/login", 200, more: cookies))
        let jar = CookieJar()
        let response = try await client(cassette, jar: jar).send(SimpleNetworking.get("/login"))
        #expect(jar.cookies(for: response.request.url).map(\.pairText) == ["a=1", "b=2"])
    }
}

extension Cookie {
    fileprivate var pairText: String { "\(name)=\(value)" }
}
