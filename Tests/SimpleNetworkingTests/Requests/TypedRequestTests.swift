import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What a typed request says, and what is sent for it.
@Suite(.timeLimit(.minutes(5)))
struct TypedRequestTests {
    struct Repo: Codable, Sendable {
        var name: String
        var pushed: Date?
    }

    private let server = StubTransport().on("*", .json("{}"))
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, host: "api.example.com/v1")
    }

    private func sent(_ request: Request<Void>, by client: SimpleNetworking) async throws -> TransportRequest {
        _ = try await client.send(request)
        return try #require(server.requests.last)
    }

    @Test
    func requestIsAMutableValue() throws {
        var request = Request<Repo>.get("/repos")
        let before = request
        request.method = .patch
        request.path = "/repos/octokit"
        request.query = [("a", "1"), ("b", nil)]
        request.body = Repo(name: "x")
        request.headers = ["Version": "v2"]
        request.id = "repos/patch"
        #expect(before.method == .get && before.path == "/repos" && before.query == nil && before.body == nil)
        #expect("\(request)" == "PATCH /repos/octokit")
        #expect(request.url?.absoluteString == "/repos/octokit")
        request.url = URL(string: "https://other.example/x")
        #expect(request.path == "https://other.example/x")
        #expect((request.body as? Repo)?.name == "x")
    }

    @Test
    func responseIsVoidByDefault() {
        #expect(type(of: Request(path: "/x")) == Request<Void>.self)
        #expect(type(of: Request.post("/x", body: "text")) == Request<Void>.self)
        #expect(type(of: Request.get("/x").withResponse([Repo].self)) == Request<[Repo]>.self)
    }

    @Test
    func queryKeepsItsPairsInOrder() async throws {
        let pairs: [(String, String?)] = [("b", "2"), ("a", nil), ("a", "1")]
        let requests: [Request<Void>] = [
            .get("/x", query: pairs), .head("/x", query: pairs), .options("/x", query: pairs),
            .post("/x", query: pairs, body: "text"), .put("/x", query: pairs, body: "text"),
            .patch("/x", query: pairs, body: "text"), .delete("/x", query: pairs), .get("/x", query: []),
            .get("/x", query: nil),
        ]
        var queries: [String?] = []
        for request in requests { queries.append(try await client.makeRequest(for: request).url.query) }
        #expect(queries == Array(repeating: "b=2&a=1", count: 7) + [nil, nil])
        #expect(Request<Repo>.post("/x", query: [("a", "b")], body: Repo(name: "x")).body is Repo)
    }

    @Test
    func queryTakesTheFormsThatHandlerRequestsTake() async throws {
        let query: Query = ["q": "a b", "page": 2]
        let values: [String: String] = ["q": "a b", "page": "2"]
        let optional: [String: String?] = ["q": "a b", "page": "2", "none": nil]
        let requests: [Request<Void>] = [
            .get("/x", query: query), .get("/x", query: ["q": "a b", "page": 2]), .get("/x", query: Query(values)),
            .get("/x", query: Query(optional)), .get("/x").query(query), Request(path: "/x").query(query),
            .get("/x", query: [("page", 2), ("q", "a b")]), .get("/x", query: ["page": 2]).query(["q": "a b"]),
            .get("/x", query: [("page", "2")]).query([("q", "a b")]),
        ]
        for request in requests {
            #expect(try await client.makeRequest(for: request).url.query == "page=2&q=a%20b")
            #expect(request.query?.map { "\($0) \($1 ?? "nil")" } == ["page 2", "q a b"])
        }
        let other = Request<Repo>.get("/x", query: ["page": 2, "q": nil]).withResponse(Int.self)
        #expect(other.query?.map(\.0) == ["page"])
        let raw = Request<[Repo]>.get("/x", query: .raw("q=a+b")).withResponse(Void.self)
        #expect(try await client.makeRequest(for: raw).url.query == "q=a+b")
        let put = Request.put("/x", body: "text").query(query)
        #expect(try await client.makeRequest(for: put).url.query == "page=2&q=a%20b")
    }

    @Test
    func withResponseKeepsEverythingElse() {
        let request = Request(path: "/x", method: "REPORT", query: [("a", "b")], headers: ["c": "d"], id: "e")
        let other = request.withResponse(Repo.self)
        #expect(other.method == "REPORT" && other.path == "/x" && other.headers == ["c": "d"] && other.id == "e")
        #expect(other.query?.map { "\($0)=\($1 ?? "")" } == ["a=b"])
    }

    @Test(arguments: [
        (Request<Void>.get("/x"), "GET"), (.head("/x"), "HEAD"), (.options("/x"), "OPTIONS"),
        (Request(path: "/x", method: .trace), "TRACE"),
        (.post("/x"), "POST"), (.put("/x"), "PUT"), (.patch("/x"), "PATCH"), (.delete("/x"), "DELETE"),
        (Request(path: "/x", method: "PROPFIND"), "PROPFIND"), (Request(path: "/x", method: "mine"), "mine"),
    ])
    func theMethodArrivesInItsOwnCase(request: Request<Void>, method: String) async throws {
        #expect(try await sent(request, by: client).method.rawValue == method)
    }

    @Test(arguments: [
        ("a.example/v1", "/user", "https://a.example/v1/user"),
        ("a.example/v1/", "user", "https://a.example/v1/user"),
        ("a.example", "", "https://a.example/"),
        ("a.example/v1", "", "https://a.example/v1/"),
        ("a.example", "/a%20b", "https://a.example/a%20b"),
        ("a.example", "/a b", "https://a.example/a%20b"),
        ("a.example", "/é", "https://a.example/%C3%A9"),
        ("a.example/v1", "https://b.example/x?y=1", "https://b.example/x?y=1"),
        ("a.example", "users:search", "https://a.example/users:search"),
        ("a.example", "//b.example/x", "https://a.example/b.example/x"),
    ])
    func pathIsJoinedToTheBaseURL(host: String, path: String, address: String) async throws {
        let client = SimpleNetworking(over: server, host: host)
        #expect(try await sent(.get(path), by: client).url.absoluteString == address)
    }

    @Test(arguments: ["/../x", "ftp://a.example/x", "https://", "/a\nb"])
    func invalidURLIsRefused(path: String) async throws {
        let error = await #expect(throws: SimpleNetworkingError.self) { try await client.send(.get(path)) }
        #expect(error.map(name(of:)) == "invalidURL")
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [
            ([("b", "2"), ("a", "1"), ("b", "3")], "b=2&a=1&b=3"), ([("a", nil), ("b", "")], "b="), ([], nil),
            ([("q", "a b&c+d")], "q=a%20b%26c%2Bd"),
        ] as [([(String, String?)], String?)]
    )
    func queryKeepsOrderAndRepetition(query: [(String, String?)], text: String?) async throws {
        let url = try await sent(.get("/x", query: query), by: client).url
        #expect(url.absoluteString == "https://api.example.com/v1/x" + (text.map { "?" + $0 } ?? ""))
    }

    @Test
    func onlyContentThatIsDecodedIsAskedForAsJSON() async throws {
        func accept(_ request: Request<some Any>) async throws -> String? {
            try await client.makeRequest(for: request).headers["Accept"]
        }
        #expect(try await accept(Request<Repo>.get("/x")) == "application/json")
        #expect(try await accept(Request<Repo?>.get("/x")) == "application/json")
        #expect(try await accept(Request<[String]>.get("/x")) == "application/json")
        #expect(try await accept(Request<Data>.get("/x")) == "*/*")
        #expect(try await accept(Request<Data?>.get("/x")) == "*/*")
        #expect(try await accept(Request<String>.get("/x")) == "*/*")
        #expect(try await accept(Request<String?>.get("/x")) == "*/*")
        #expect(try await accept(Request<Void>.get("/x")) == "*/*")
        #expect(try await accept(Request<Repo>.get("/x").withResponse(Data.self)) == "*/*")
        #expect(try await accept(Request<Data>.get("/x", headers: ["Accept": "text/csv"])) == "text/csv")
        _ = try await client.data(for: Request<Repo>.get("/x"))
        _ = try await client.send(Request<String>.get("/x"))
        _ = try await client.execute(Request<Data>.get("/x")).ended().get()
        #expect(server.requests.map { $0.headers["Accept"] } == ["*/*", "*/*", "*/*"])
    }

    @Test
    func acceptAndContentTypeAreJSONByDefault() async throws {
        let plain = try await sent(.post("/x", body: ["a": 1]), by: client)
        #expect(plain.headers["Accept"] == "*/*")
        #expect(plain.headers["Content-Type"] == "application/json")
        let own = Request<Void>.post("/x", body: ["a": 1], headers: ["aCCept": "text/x", "content-TYPE": "text/y"])
        for client in [
            SimpleNetworking(over: server) { $0.defaultHeaders = ["ACCEPT": "text/x", "content-type": "text/y"] },
            SimpleNetworking(over: server) {
                $0.sessionConfiguration.httpAdditionalHeaders = ["accept": "text/x", "CONTENT-TYPE": "text/y"]
            },
        ] {
            let sent = try await sent(.post("/x", body: ["a": 1]), by: client)
            #expect(sent.headers.values(for: "Accept") == ["text/x"])
            #expect(sent.headers.values(for: "Content-Type") == ["text/y"])
        }
        let sent = try await sent(own, by: client)
        #expect(sent.headers.values(for: "accept") == ["text/x"])
        #expect(sent.headers.values(for: "content-type") == ["text/y"])
    }

    @Test
    func withoutABodyThereIsNoContentType() async throws {
        let none: Repo? = nil
        for body in [nil, none] as [(any Encodable & Sendable)?] {
            let sent = try await sent(.post("/x", body: body), by: client)
            #expect(sent.body.isNone)
            #expect(sent.headers["Content-Type"] == nil)
        }
        let wrapped = try await sent(.post("/x", body: none), by: client)
        #expect(wrapped.body.isNone)
    }

    @Test(
        arguments: [
            (Data([1, 2]), "AQI="), ("é", "w6k="),
            (["a": 1], Data(#"{"a":1}"#.utf8).base64EncodedString()),
            (
                Repo(name: "x", pushed: Date(timeIntervalSince1970: 0)),
                Data(#"{"name":"x","pushed":"1970-01-01T00:00:00Z"}"#.utf8).base64EncodedString()
            ),
            (["kean@example.com"], Data(#"["kean@example.com"]"#.utf8).base64EncodedString()),
        ] as [(any Encodable & Sendable, String)]
    )
    func bytesAndTextAreSentAsTheyAreAndAllElseAsJSON(body: any Encodable & Sendable, base64: String) async throws {
        let encoder = JSONEncoder.standard
        encoder.outputFormatting = .sortedKeys
        let sent = try await sent(.post("/x", body: body), by: SimpleNetworking(over: server) { $0.encoder = encoder })
        guard case .data(let data) = sent.body else { throw Surprise("\(sent.body)") }
        #expect(data.base64EncodedString() == base64)
        #expect(sent.headers["Content-Type"] == "application/json")
    }

    @Test
    func unencodableBodyIsNotSent() async throws {
        let error = await #expect(throws: SimpleNetworkingError.self) {
            try await client.send(.post("/x", body: ["a": Double.infinity]))
        }
        #expect(error.map(name(of:)) == "invalidRequest")
        #expect(server.requests.isEmpty)
    }

    @Test
    func makeRequestSendsNothing() async throws {
        let client = SimpleNetworking(over: server, host: "api.example.com/v1") { $0.defaultHeaders["X-App"] = "a" }
        let request = Request<Repo>(path: "/x", method: .put, query: [("a", "b")], body: "text", headers: ["X-B": "b"])
        let made = try await client.makeRequest(for: request)
        #expect(made.url.absoluteString == "https://api.example.com/v1/x?a=b")
        #expect(made.method == .put)
        #expect(made.headers["X-App"] == "a" && made.headers["X-B"] == "b")
        let handlers = try await client.makeRequest(for: SimpleNetworking.get("/y"))
        #expect(handlers.url.path == "/v1/y")
        #expect(server.requests.isEmpty)
    }
}
