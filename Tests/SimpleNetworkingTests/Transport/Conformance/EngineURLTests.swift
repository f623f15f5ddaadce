import Foundation
import SimpleNetworkingDigest
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// The bytes of URLs, as servers, pages and users write them, and as they go over the wire.
@Suite("Every engine: URLs", .timeLimit(.minutes(5)))
struct EngineURLTests {
    /// What an engine sends, and what it sends if Foundation's `URL` has to hold it.
    struct Target: CustomTestStringConvertible, Sendable {
        let written: String
        let sent: String
        let strict: String

        init(_ written: String, sent: String? = nil, _ strict: String) {
            self.written = written
            self.sent = sent ?? written
            self.strict = strict
        }

        var testDescription: String { written }

        func sent(by engine: Engine) -> String { engine.lacks(.writtenURLs) ? strict : sent }
    }

    static let locations = [
        Target("/f?a=[1]", "/f?a=%5B1%5D"), Target("/f?a={1}|2", "/f?a=%7B1%7D%7C2"), Target("/f?a=50%", "/f?a=50%25"),
        Target("/f?a=%zz%4&b=%41", "/f?a=%25zz%254&b=%41"), Target("/f?a=^`b", "/f?a=%5E%60b"),
        Target("/f?a='b", "/f?a='b"),
        Target("/f?a=\"b\"<c>", "/f?a=%22b%22%3Cc%3E"), Target(#"/f?a=\b"#, "/f?a=%5Cb"),
        Target("/f?a=%27%2B%2f%7e", "/f?a=%27%2B%2f%7e"), Target("/f[1]|{2}", "/f%5B1%5D%7C%7B2%7D"),
        Target("/50%/a", "/50%25/a"), Target("/^`\"<>", "/%5E%60%22%3C%3E"), Target(#"/f\g"#, "/f%5Cg"),
        Target("g[1]?b=[2]", sent: "/a/g[1]?b=[2]", "/a/g%5B1%5D?b=%5B2%5D"),
        Target("?x=[1]", sent: "/a/b?x=[1]", "/a/b?x=%5B1%5D"),
        Target("/f?a=[1]#[x]{%", sent: "/f?a=[1]", "/f?a=%5B1%5D"),
        Target("/a b?[c d]", sent: "/a%20b?[c%20d]", "/a%20b?%5Bc%20d%5D"),
    ]

    @Test(arguments: Engine.allCases, locations)
    func aRedirectIsFollowedByTheBytesOfItsLocation(engine: Engine, location: Target) async throws {
        let server = try RawServer { request in
            request.target == "/a/b" ? .redirect(to: location.written) : .response(body: "there")
        }
        let response = try await engine.client(server).send(SimpleNetworking.get("/a/b"))
        #expect(response.text == "there")
        #expect(server.requests.map(\.target) == ["/a/b", location.sent(by: engine)])
        #expect(response.request.url.absoluteString == server.url(location.strict).absoluteString)
    }

    @Test(arguments: Engine.allCases)
    func aRedirectIsRelativeToTheURLThatWasSent(engine: Engine) async throws {
        let server = try RawServer { request in
            switch request.path.count {
            case ..<4: .redirect(to: "/[1]/x")
            case 6: .redirect(to: "y{2}")
            default: request.query == nil ? .redirect(to: "?z=|") : .response(body: "there")
            }
        }
        guard !engine.lacks(.writtenURLs) else { return }
        #expect(try await engine.client(server).send(SimpleNetworking.get("/a")).text == "there")
        #expect(server.requests.map(\.target) == ["/a", "/[1]/x", "/[1]/y{2}", "/[1]/y{2}?z=|"])
    }

    static let own = [
        Target("/f?a=[1]&b={2}|3&c=50%&d=^`e'", "/f?a=%5B1%5D&b=%7B2%7D%7C3&c=50%25&d=%5E%60e'"),
        Target("/f?a=%5B1%5D&b=%zz", "/f?a=%5B1%5D&b=%25zz"), Target(#"/f?a=\b"#, "/f?a=%5Cb"),
        Target("/f?a=\"b\"<c> d\u{E9}", sent: "/f?a=%22b%22%3Cc%3E%20d%C3%A9", "/f?a=%22b%22%3Cc%3E%20d%C3%A9"),
        Target("/f[1]|g", "/f%5B1%5D%7Cg"), Target("/50%", "/50%25"),
        Target("/{a}^`\"<>", sent: "/%7Ba%7D%5E%60%22%3C%3E", "/%7Ba%7D%5E%60%22%3C%3E"),
        Target(#"/f\g"#, sent: "/f%5Cg", "/f%5Cg"), Target("/f?a=[1]#b[c", sent: "/f?a=[1]", "/f?a=%5B1%5D"),
        Target("/f?", "/f?"), Target("/", "/"),
    ]

    @Test(arguments: Engine.allCases, own)
    func anOwnURLIsEncodedAsTheURLStandardSays(engine: Engine, target: Target) async throws {
        let server = try RawServer { _ in .response() }
        let client = try engine.client(server)
        _ = try await client.send(SimpleNetworking.get(target.written))
        try await client.send(Request<Void>.get(target.written))
        _ = try await client.send(SimpleNetworking.get("http://127.0.0.1:\(server.port)" + target.written))
        let parts = URLParts.split(target.written[...])
        _ = try await client.send(SimpleNetworking.get(String(parts.path)).query(.raw(String(parts.query ?? ""))))
        let sent = target.sent(by: engine)
        let last = sent == "/f?" ? "/f" : sent
        #expect(server.requests.map(\.target) == [sent, sent, sent, last])
    }

    @Test(arguments: Engine.allCases)
    func pairsAreEncodedWhole(engine: Engine) async throws {
        let server = try RawServer { _ in .response() }
        _ = try await engine.client(server).send(SimpleNetworking.get("/f?x=[0]", query: ["a[b]": "{50%}|"]))
        let own = engine.lacks(.writtenURLs) ? "x=%5B0%5D" : "x=[0]"
        #expect(server.requests.map(\.target) == ["/f?\(own)&a%5Bb%5D=%7B50%25%7D%7C"])
    }

    @Test(arguments: Engine.allCases)
    func aLinkIsFollowedByItsBytes(engine: Engine) async throws {
        let next = "/items?filter[a]={b}|c&at=50%"
        let server = try RawServer { request in
            if request.target.hasSuffix("start") {
                return .response(headers: ["Link": "<\(next)>; rel=next"], body: "[1]")
            }
            if request.target.hasSuffix("body") { return .json(#"{"data":[1],"next":"\#(next)"}"#) }
            return .json(request.target.hasPrefix("/items") ? #"[2]"# : "{}")
        }
        let client = try engine.client(server)
        var items: [Int] = []
        for try await item in client.items(of: Int.self, for: SimpleNetworking.get("/start"), style: .linkHeader()) {
            items.append(item)
        }
        #expect(items == [1, 2])
        let strict = "/items?filter%5Ba%5D=%7Bb%7D%7Cc&at=50%25"
        #expect(server.requests.map(\.target) == ["/start", engine.lacks(.writtenURLs) ? strict : next])
    }

    @Test(arguments: Engine.allCases)
    func aPageThatLinksToItselfInAnotherSpellingIsFoundOut(engine: Engine) async throws {
        let server = try RawServer { request in
            let link = request.target.contains("[") ? "/items?a=%5B1%5D" : "/items?a=[1]"
            return .response(headers: ["Link": "<\(link)>; rel=next"], body: "[1]")
        }
        let items = try engine.client(server)
            .items(of: Int.self, for: SimpleNetworking.get("/items?a=[1]"), style: .linkHeader())
        await #expect(throws: SimpleNetworkingError.self) { for try await _ in items {} }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Engine.allCases)
    func bytesThatAreNotUTF8AreSentBackAsTheyCame(engine: Engine) async throws {
        guard !engine.lacks(.latin1Fields) else { return }
        let server = try RawServer { request in
            let text =
                switch request.path {
                case "/a": "302 Found\r\nLocation: /m\u{FC}[\u{C3}\u{BC}]?q=\u{FC}%FC"
                case "/link": "200 OK\r\nLink: </n?q=\u{E9}>; rel=next; title=\"\u{E9}\""
                default: "200 OK"
                }
            let bytes = "HTTP/1.1 \(text)\r\nContent-Length: 3\r\n\r\n[1]".unicodeScalars.map { UInt8($0.value) }
            return RawServer.Reply([.send(Data(bytes))])
        }
        let client = try engine.client(server)
        let response = try await client.send(SimpleNetworking.get("/a"))
        #expect(server.requests.last?.target == "/m%FC[%C3%BC]?q=%FC%FC")
        #expect(response.request.url.absoluteString.hasSuffix("/m%FC%5B%C3%BC%5D?q=%FC%FC"))
        for try await _ in client.items(of: Int.self, for: SimpleNetworking.get("/link"), style: .linkHeader()) {}
        #expect(server.requests.last?.target == "/n?q=%E9")
    }

    @Test(arguments: Engine.allCases)
    func aDigestIsForTheTargetThatIsSent(engine: Engine) async throws {
        let server = try RawServer { request in
            request[header: "Authorization"] == nil
                ? .response(status: 401, headers: ["WWW-Authenticate": #"Digest realm="a", nonce="n", qop="auth""#])
                : .response()
        }
        let client = try engine.client(server) { $0.authenticator = DigestAuthenticator(user: "u", password: "p") }
        _ = try await client.send(SimpleNetworking.get("/f[1]?a={2}&b=50%"))
        let request = try #require(server.requests.last)
        #expect(request[header: "Authorization"]?.contains(#"uri="\#(request.target)""#) == true)
    }

    @Test
    func aHookThatKeepsTheURLKeepsItsText() async throws {
        final class Hooked: SimpleNetworking, @unchecked Sendable {
            override func url(for request: SimpleRequest) throws -> URL {
                let url = try super.url(for: request)
                guard request.path.hasPrefix("/add") else { return url }
                return try self.url(forPath: url.absoluteString, query: ["k": 1])
            }
        }
        let server = try RawServer { _ in .response() }
        let client = Hooked(baseURL: server.url()) { $0.logger = .quiet }
        _ = try await client.send(SimpleNetworking.get("/f?a=[1]"))
        _ = try await client.send(SimpleNetworking.get("/add?a=[1]"))
        #expect(server.requests.map(\.target).last == "/add?a=%5B1%5D&k=1")
        #if os(Linux)
            #expect(server.requests.map(\.target).first == "/f?a=[1]")
        #endif
    }

    @Test
    func aChangedURLIsSentAndNotTheFormerText() throws {
        let written = try URLParts("https://h/a?b=[1]").written()
        var head = RequestHead(url: written.url)
        head.written = written
        #expect(head.written.text == "https://h/a?b=[1]")
        #expect(head.url.absoluteString == "https://h/a?b=%5B1%5D")
        head.url = try #require(URL(string: "https://h/c"))
        #expect(head.written.text == "https://h/c")
    }

    @Test(arguments: [
        ("https://b\u{FC}cher.example/[1]", "https://xn--bcher-kva.example/[1]"),
        ("https://[::1]:8080/?a=[1]", "https://[::1]:8080/?a=[1]"),
        ("https://h", "https://h"), ("https://h?a=|", "https://h?a=|"), ("HTTPS://H/%", "HTTPS://H/%"),
    ])
    func theOriginIsWrittenAsFoundationDoes(text: String, sent: String) throws {
        #expect(try URLParts(text).written().text == sent)
    }
}
