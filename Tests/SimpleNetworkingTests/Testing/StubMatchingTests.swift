import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Which rule responds to which request.
@Suite(.timeLimit(.minutes(5)))
struct StubMatchingTests {
    private let server = StubTransport()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server)
    }

    private func status(_ request: SimpleRequest) async -> Int? {
        await request.execute(on: client).ended().value?.httpStatus
    }

    @Test(arguments: [
        ("/users/*", "/users/7", true), ("/users/*", "/users/7/posts", false), ("/users/*", "/users", false),
        ("/users/{id}", "/users/a%20b", true), ("/users/{id}/posts/*", "/users/7/posts/1", true),
        ("/files/**", "/files/a/b/c", true), ("/files/**", "/filesystem", false), ("*", "/any/thing", true),
        ("/users", "/users", true), ("/users/", "/users/", true), ("/users/", "/users", false),
        ("/users", "/users/", true),
        ("/users", "/user", false), ("/", "/", true),
    ])
    func pathPatternsMatchWholeSegments(pattern: String, path: String, matches: Bool) async throws {
        server.on(.get, pattern, .status(204))
        #expect(await status(SimpleNetworking.get(path)) == (matches ? 204 : nil))
    }

    @Test
    func oneOfSeveralQueryItemsIsEnough() async throws {
        server.on("/x", where: [.query("tag", "a"), .query("page", nil)], .status(204))
        #expect(await status(SimpleNetworking.get("/x?tag=a&tag=b")) == 204)
        #expect(await status(SimpleNetworking.get("/x?tag=b&tag=c")) == nil)
        #expect(await status(SimpleNetworking.get("/x?tag=a&page=1")) == nil)
    }

    @Test
    func conditionsMayLookAtTheRequestsSoFar() async throws {
        let isSecond = StubCondition.matching("the second") { [server] _ in server.requests.count == 2 }
        server.on("/x", where: [isSecond], .status(202)).on("/x", .status(204))
        #expect(await status(SimpleNetworking.get("/x")) == 204)
        #expect(await status(SimpleNetworking.get("/x")) == 202)
    }

    @Test
    func segmentsOfAPatternAreFoundByName() async throws {
        server.on(.get, "/users/{id}/posts/{post}") { request in
            let segments = request.segments("/users/{id}/posts/{post}")
            return .text("\(segments["id"] ?? "")-\(segments["post"] ?? "")")
        }
        #expect(try await client.send(SimpleNetworking.get("/users/7/posts/a b")).text == "7-a b")
    }

    @Test
    func queryAndFieldsSelectTheRule() async throws {
        server
            .on("/x", where: [.query("page", "2"), .header("Accept", "text/csv")], .status(201))
            .on("/x", where: [.query("page", nil), .header("X-Trace", nil)], .status(202))
            .on("/x", where: [.matching("a long query") { ($0.url.query ?? "").count > 20 }], .status(203))
        #expect(await status(SimpleNetworking.get("/x?page=2").headers(["Accept": "text/csv"])) == 201)
        #expect(await status(SimpleNetworking.get("/x?q=a")) == 202)
        #expect(await status(SimpleNetworking.get("/x?page=a+long+page+indeed")) == 203)
        #expect(await status(SimpleNetworking.get("/x?page=3&page=2").headers(["Accept": "text/csv"])) == 201)
    }

    @Test
    func bodiesSelectTheRule() async throws {
        server
            .on(.post, "/x", where: [.json(#"{"a": 1, "b": [true, null]}"#)], .status(201))
            .on(.post, "/x", where: [.form(["a": "1", "b": "x y"])], .status(202))
            .on(.post, "/x", where: [.text("plain")], .status(203))
        let post = { SimpleNetworking.post("/x") }
        #expect(await status(post().body(json: ["b": [true, nil] as [Bool?], "a": 1])) == 201)
        #expect(await status(post().body(form: ["b": "x y", "a": "1"])) == 202)
        #expect(await status(post().body(text: "plain")) == 203)
        #expect(await status(post().body(json: ["a": 1])) == nil)
        #expect(await status(post().body(form: ["a": "1"])) == nil)
        #expect(await status(post()) == nil)
    }

    @Test(arguments: ["password=s3cret", #"{"token":"s3cret"}"#, "token: s3cret"])
    func secretsInTheTextOfARuleAreHidden(text: String) async throws {
        server.on(.post, "/x", where: [.text(text)], .status(203))
        let other = text.replacingOccurrences(of: "s3cret", with: "other1")
        let api = SimpleNetworking(over: server)
        let shown = await "\(api.post("/x") { $0.body(text: other) }.ended().error as Any)"
        #expect(!shown.contains("s3cret") && !shown.contains("other1"))
        #expect(shown.contains("‹secret›") && shown.contains("(another secret)"))
        #expect(await status(SimpleNetworking.post("/x").body(text: text)) == 203)
    }

    @Test
    func repliesComeInOrderAndThenTheNextRuleResponds() async throws {
        server.on(.get, "/x", .replies(.status(201), .json("{}", status: 202))).on(.get, "/x", .status(203))
        for expected in [201, 202, 203, 203] { #expect(await status(SimpleNetworking.get("/x")) == expected) }
        let again = StubTransport().on("/x", .replies(.status(201), .status(202)), times: 3)
        let api = SimpleNetworking(over: again)
        for expected in [201, 202, 201] {
            #expect(await api.get("/x").ended().value?.httpStatus == expected)
        }
    }

    @Test
    func repliesCanWaitTogether() async throws {
        let gate = Gate()
        server.on("/x", .replies(.status(201), .status(202)).after(gate))
        async let first = status(SimpleNetworking.get("/x"))
        await gate.arrivals(1)
        #expect(server.waits == ["GET /x waits for a gate"])
        gate.open()
        #expect(await first == 201)
        #expect(server.waits == [])
        #expect(await status(SimpleNetworking.get("/x")) == 202)
    }

    @Test
    func fixturesComeFromFilesWithTheirType() async throws {
        let scratch = ScratchFolder()
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        let file = scratch.url.appendingPathComponent("user.json")
        try Data(#"{"name": "Ada"}"#.utf8).write(to: file)
        server
            .on("/file", try .fixture(at: file))
            .on("/source", try .fixture("StubMatchingTests.swift", type: "text/x-swift", status: 203))
        let response = try await client.send(SimpleNetworking.get("/file"))
        #expect(response.json?["name"] as? String == "Ada")
        #expect(response.headers["Content-Type"] == "application/json")
        let source = try await client.send(SimpleNetworking.get("/source"))
        #expect(source.text?.contains("fixturesComeFromFilesWithTheirType") == true)
        #expect(source.httpStatus == 203)
    }
}
