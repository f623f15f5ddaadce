import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingDigest
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// A cassette records what is sent below redirects, cookies and the cache, so that a replay runs through them again.
@Suite(.timeLimit(.minutes(2)))
struct CassettePlaceTests {
    private let folder = ScratchFolder()

    /// Runs the same session twice: recorded over a real socket, and then replayed without the server.
    private func expectReplay(
        _ engine: Engine,
        _ kind: String = "json",
        _ handler: @escaping @Sendable (RawServer.Request) -> RawServer.Reply,
        _ configure: @escaping (inout SimpleNetworking.Configuration) -> Void = { _ in },
        session: (SimpleNetworking, CookieJar) async throws -> [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let server = try RawServer(handler)
        let file = folder.url.appendingPathComponent("session.\(kind)")
        var results: [[String]] = []
        for mode in [Cassette.Mode.record, .replay] {
            let (cassette, jar) = (Cassette(file, mode: mode), CookieJar())
            let settings = URLSessionConfiguration.ephemeral
            settings.httpCookieStorage = nil
            let transport = try engine.transport(configuration: settings)
            let api = SimpleNetworking(baseURL: server.url()) {
                ($0.transport, $0.cookieJar, $0.logger) = (transport, jar, .quiet)
                configure(&$0)
                $0.middleware.append(cassette)
            }
            results.append(try await session(api, jar))
            try cassette.verify()
            server.stop()
        }
        #expect(results[0] == results[1], sourceLocation: sourceLocation)
        return results[0]
    }

    @Test(arguments: Engine.allCases, ["json", "har"])
    func aReplayFollowsRedirectsAndFillsTheJar(engine: Engine, kind: String) async throws {
        let session = try await expectReplay(engine, kind) { request in
            switch request.path {
            case "/old": .response(status: 302, headers: ["Location": "/login", "Set-Cookie": "seen=old-secret"])
            case "/login":
                .response(
                    headers: ["Set-Cookie": "csrf=hushhush; Path=/", "Set-Cookie": "b=2; Path=/me; Max-Age=60"],
                    body: "in"
                )
            default: .response(body: request[header: "Cookie"]?.contains("csrf") == true ? "me" : "nobody")
            }
        } session: { api, jar in
            let first = try await api.send(SimpleNetworking.get("/old"))
            let second = try await api.send(SimpleNetworking.get("/me"))
            let names = jar.cookies(for: second.request.url).map { "\($0.name) \($0.path)" }
            return [first.request.url.path, second.text ?? ""] + names
        }
        #expect(session == ["/login", "me", "b /me", "seen /", "csrf /"])
        let disk = try String(contentsOf: folder.url.appendingPathComponent("session.\(kind)"), encoding: .utf8)
        #expect(!disk.contains("hushhush") && !disk.contains("old-secret"))
        #expect(disk.contains("csrf=‹secret›; Path=/"))
    }

    @Test(arguments: Engine.allCases, ["json", "har"])
    func aListBehindARedirectIsReplayed(engine: Engine, kind: String) async throws {
        let session = try await expectReplay(engine, kind) { request in
            if request.path == "/list" { return .redirect(to: "/v2/items") }
            return .json(request.query == nil ? #"{"results": [1], "next": "?page=2"}"# : #"{"results": [2]}"#)
        } session: { api, _ in
            var items: [Int] = []
            for try await item in api.items(
                of: Int.self,
                at: "results",
                for: SimpleNetworking.get("/list"),
                style: .links()
            ) { items.append(item) }
            return items.map(String.init)
        }
        #expect(session == ["1", "2"])
    }

    @Test(arguments: Engine.allCases)
    func streamsDownloadsAndMethodsAfterRedirectsAreReplayed(engine: Engine) async throws {
        let place = try ScratchFile()
        let session = try await expectReplay(engine) { request in
            switch request.path {
            case "/old": .redirect(to: "/film")
            case "/form": .redirect(to: "/done", status: 303)
            case "/kept": .redirect(to: "/done", status: 307)
            case "/done": .response(body: "\(request.method) \(request.text)")
            default: .response(headers: ["Content-Type": "video/mp4"], body: "a film")
            }
        } session: { api, _ in
            var texts: [String] = []
            try await api.download(for: SimpleNetworking.get("/old"), to: place.url)
            texts.append(String(decoding: place.content ?? Data(), as: UTF8.self))
            let bytes = try await api.bytes(for: SimpleNetworking.get("/old")).reduce(into: Data()) { $0 += $1 }
            texts.append(String(decoding: bytes, as: UTF8.self))
            for path in ["/form", "/kept"] {
                texts.append(try await api.send(SimpleNetworking.post(path).body(text: "tea")).text ?? "")
            }
            return texts
        }
        #expect(session == ["a film", "a film", "GET ", "POST tea"])
    }

    @Test
    func fieldsWithheldFromAnotherOriginAreNotRecordedForIt() async throws {
        let other = try RawServer { .response(body: $0[header: "Authorization"] ?? "none") }
        let target = other.url("/there").absoluteString
        let session = try await expectReplay(Engine.allCases[0]) { _ in
            .redirect(to: target)
        } session: { api, _ in
            let request = SimpleNetworking.get("/here").header("Authorization", "Bearer hushhush")
            return [try await api.send(request).text ?? ""]
        }
        #expect(session == ["none"])
        let exchanges = try Cassette(folder.url.appendingPathComponent("session.json")).exchanges()
        #expect(exchanges.map { $0.headers.contains("Authorization") } == [true, false])
        #expect(exchanges.map { $0.response?.httpStatus } == [302, 200])
    }

    /// The cache is above the cassette: its conditional requests are recorded, and their 304 is replayed.
    @Test(arguments: Engine.allCases)
    func validationByTheCacheIsReplayed(engine: Engine) async throws {
        let session = try await expectReplay(engine) { request in
            let fields: KeyValuePairs = ["ETag": #""1""#, "Cache-Control": "no-cache"]
            return request[header: "If-None-Match"] == nil
                ? .response(headers: fields, body: "content") : .response(status: 304, headers: fields)
        } _: {
            $0.cache = ResponseCache()
        } session: { api, _ in
            var texts: [String] = []
            for _ in 0..<2 { texts.append(try await api.send(SimpleNetworking.get("/x")).text ?? "") }
            return texts
        }
        #expect(session == ["content", "content"])
        let exchanges = try Cassette(folder.url.appendingPathComponent("session.json")).exchanges()
        #expect(exchanges.map { $0.response?.httpStatus } == [200, 304])
    }

    @Test(arguments: Engine.allCases, ["json", "har"])
    func aDigestChallengeIsReplayed(engine: Engine, kind: String) async throws {
        let session = try await expectReplay(engine, kind) { request in
            request[header: "Authorization"] == nil
                ? .unauthorized(#"Digest realm="test", nonce="abcdef", qop="auth""#) : .response(body: "in")
        } _: {
            $0.authenticator = DigestAuthenticator(user: "ada", password: "hushhush")
        } session: { api, _ in
            [try await api.send(SimpleNetworking.get("/x")).text ?? ""]
        }
        #expect(session == ["in"])
        let disk = try String(contentsOf: folder.url.appendingPathComponent("session.\(kind)"), encoding: .utf8)
        #expect(!disk.contains("abcdef") && disk.contains("Digest realm="))
    }

    /// The rest of a download is asked for with a range, in the replay as well.
    @Test(arguments: Engine.allCases.filter { !$0.lacks(.pieces) }, ["json", "har"])
    func aDownloadThatBreaksAndGoesOnIsReplayed(engine: Engine, kind: String) async throws {
        let session = try await expectReplay(engine, kind) { request in
            let head = "Accept-Ranges: bytes\r\nETag: \"1\"\r\n"
            guard request[header: "Range"] != nil else {
                return .raw("HTTP/1.1 200 OK\r\n\(head)Content-Length: 10\r\n\r\n01234", end: .close)
            }
            return .raw("HTTP/1.1 206 Part\r\n\(head)Content-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789")
        } session: { api, _ in
            let place = try ScratchFile()
            let request = SimpleNetworking.get("/film").retry(RetryPolicy(attempts: 2, backoff: .constant(0)))
            try await api.download(for: request, to: place.url)
            return [String(decoding: place.content ?? Data(), as: UTF8.self)]
        }
        #expect(session == ["0123456789"])
    }

    #if canImport(CLibcurl) && os(Linux)
        /// The upload's URL comes in an interim response, after which the connection breaks.
        @Test(arguments: ["json", "har"])
        func aResumedUploadIsReplayed(kind: String) async throws {
            let session = try await expectReplay(.curl, kind) { request in
                let version = "Upload-Draft-Interop-Version: 6"
                let offset = "Upload-Offset: 2\r\nUpload-Complete: ?0\r\n\(version)"
                switch request.method {
                case "POST": return .raw("HTTP/1.1 104 Offer\r\nLocation: /upload\r\n\(version)\r\n\r\n", end: .reset)
                case "HEAD": return .raw("HTTP/1.1 204 Offset\r\n\(offset)\r\n\r\n")
                default: return .response(headers: ["Upload-Complete": "?1"], body: "stored \(request.text)")
                }
            } session: { api, _ in
                let request = SimpleNetworking.post("/film").body(text: "a film").resumesUpload()
                return [try await api.send(request).text ?? ""]
            }
            #expect(session == ["stored film"])
        }
    #endif

    @Test
    func whatMiddlewareChangesIsRecorded() async throws {
        struct Version: Middleware {
            func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                var request = request
                request.url = request.url.appendingPathComponent("v2")
                return try await next(request)
            }
        }
        let session = try await expectReplay(Engine.allCases[0]) { request in
            .response(body: request.path)
        } _: {
            $0.middleware = [Version()]
        } session: { api, _ in
            [try await api.send(SimpleNetworking.get("/x")).text ?? ""]
        }
        #expect(session == ["/x/v2"])
        let exchanges = try Cassette(folder.url.appendingPathComponent("session.json")).exchanges()
        #expect(exchanges.map { $0.url } == ["http://127.0.0.1/x/v2"])
    }

    // MARK: Old files

    /// Recorded above redirects: the final response stands for the first URL.
    @Test(arguments: ["json", "har"])
    func anOldCassetteIsReplayedAboveRedirectsAndTheCache(kind: String) async throws {
        let file = folder.url.appendingPathComponent("old.\(kind)")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let url = "https://api.example.com"
        let json = """
            {"version": 1, "exchanges": [
              {"request": {"method": "GET", "url": "\(url)/old", "headers": []},
               "response": {"status": 200, "headers": ["Cache-Control: max-age=60", "Set-Cookie: ‹secret›"], "body": ["é"]}},
              {"request": {"method": "GET", "url": "\(url)/old", "headers": []},
               "response": {"status": 200, "headers": [], "body": ["second"]}}]}
            """
        func entry(_ fields: String, _ text: String) -> String {
            """
            {"startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": {}, "timings": {},
              "request": {"method": "GET", "url": "\(url)/old", "headers": []},
              "response": {"status": 200, "headers": [\(fields)], "content": {"text": "\(text)"}}}
            """
        }
        let fields = [
            ("Cache-Control", "max-age=60"), ("Set-Cookie", "‹secret›"), ("Content-Type", "text/plain; charset=utf-8"),
        ]
        let pairs = fields.map { #"{"name": "\#($0)", "value": "\#($1)"}"# }.joined(separator: ", ")
        let har = """
            {"log": {"version": "1.2", "creator": {"name": "SimpleNetworking", "version": "1"},
              "entries": [\(entry(pairs, "é")), \(entry("", "second"))]}}
            """
        try Data((kind == "json" ? json : har).utf8).write(to: file)
        let (cassette, jar) = (Cassette(file, mode: .replay), CookieJar())
        let api = SimpleNetworking(over: StubTransport(), through: [cassette]) {
            $0.cache = ResponseCache()
            $0.cookieJar = jar
        }
        let first = try await api.send(SimpleNetworking.get("/old"))
        #expect(first.text == "é" && first.request.url.path == "/old")
        #expect(try await api.send(SimpleNetworking.get("/old")).text == "second")
        #expect(jar.cookies(for: first.request.url).isEmpty)
        try cassette.verify()
    }

    /// Earlier versions hid more, such as every `code`.
    @Test
    func whatAnOldCassetteHidesMatchesAnyValue() async throws {
        let file = folder.url.appendingPathComponent("old.json")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let old = """
            {"version": 1, "exchanges": [
              {"request": {"method": "POST", "url": "https://api.example.com/‹secret›/cart", "headers": [],
                           "body": ["{\\"code\\":\\"‹secret›\\",\\"n\\":1}"]},
               "response": {"status": 200, "headers": [], "body": ["a"]}}]}
            """
        try Data(old.utf8).write(to: file)
        func text(_ path: String, _ number: Int) async -> String? {
            let api = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)])
            let body = Data(#"{"n":\#(number),"code":"SUMMER24"}"#.utf8)
            return try? await api.send(SimpleNetworking.post(path).body(data: body, contentType: .json)).text
        }
        #expect(await text("/en-US/cart", 1) == "a")
        #expect(await text("/en-US/cart", 2) == nil)
        #expect(await text("/en-US/other", 1) == nil)
    }

    @Test
    func updatingAnOldCassetteKeepsItsKind() async throws {
        let file = folder.url.appendingPathComponent("old.json")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let old = """
            {"version": 1, "exchanges": [
              {"request": {"method": "GET", "url": "https://api.example.com/a", "headers": []},
               "response": {"status": 200, "headers": [], "body": ["a"]}}]}
            """
        try Data(old.utf8).write(to: file)
        let stub = StubTransport().on("/b", .redirect(to: "/c")).on("/c", .text("c"))
        let place = try ScratchFile()
        for mode in [Cassette.Mode.update, .replay] {
            let api = SimpleNetworking(
                over: mode == .update ? stub : StubTransport(),
                through: [Cassette(file, mode: mode)]
            )
            #expect(try await api.send(SimpleNetworking.get("/a")).text == "a")
            #expect(try await api.send(SimpleNetworking.get("/b")).text == "c")
            try await api.download(for: SimpleNetworking.get("/c"), to: place.url)
            #expect(place.content == Data("c".utf8))
        }
        let urls = try Cassette(file).exchanges().map(\.url)
        #expect(urls == ["a", "b", "c"].map { "https://api.example.com/\($0)" })
        #expect(try String(contentsOf: file, encoding: .utf8).contains(#""version" : 1"#))
    }

    // MARK: Time and order

    /// A cassette outlives the cookies that it has recorded.
    @Test(arguments: ["json", "har"])
    func aCookieThatHasExpiredSinceIsStored(kind: String) async throws {
        let file = folder.url.appendingPathComponent("session.\(kind)")
        let fields: HTTPHeaders = [
            "Date": "Thu, 01 Jan 2015 10:00:00 GMT",
            "Set-Cookie": "sid=hushhush; Expires=Thu, 01 Jan 2015 11:00:00 GMT",
            "Set-Cookie": "gone=; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ]
        let stub = StubTransport().on("/login", .text("in", headers: fields))
        _ = try await SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)]).send(
            SimpleNetworking.get("/login")
        )
        let jar = CookieJar()
        let api = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)]) {
            $0.cookieJar = jar
        }
        let response = try await api.send(SimpleNetworking.get("/login"))
        #expect(jar.cookies(for: response.request.url).map(\.name) == ["sid"])
    }

    /// Where the target of a redirect comes is up to the scheduler, as it is for its redirect.
    @Test(arguments: ["json", "har"])
    func theTargetOfARedirectMayComeBeforeWhatWasInFlightWithIt(kind: String) async throws {
        let file = folder.url.appendingPathComponent("session.\(kind)")
        let gate = Gate()
        let stub = StubTransport().on("/old", .redirect(to: "/new?token=hushhush").after(gate)).on("*") {
            .text($0.url.path)
        }
        let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)])
        let old = api.get("/old")
        await gate.arrivals(1)
        await api.get("/other").ended()
        gate.open()
        await old.ended()
        await api.get("/last").ended()
        for paths in [["/old", "/other", "/last"], ["/other", "/old", "/last"]] {
            let cassette = Cassette(file, mode: .replay)
            let replay = SimpleNetworking(over: StubTransport(), through: [cassette])
            for path in paths { #expect(await replay.get(path).ended().value != nil, "\(path) of \(paths)") }
            try cassette.verify()
        }
        let strict = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)])
        #expect(await strict.get("/last").ended().value == nil)
    }
}
