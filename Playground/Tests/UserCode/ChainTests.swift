import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChainTests {
    private struct Person: Encodable {
        let name: String
    }

    @Test
    func everyVerbIsThereOnTheClientAndOnTheType() async {
        let server = Server.open()
        let client = SimpleNetworking(server)
        let requests = [
            client.get("/x"), client.post("/x"), client.put("/x"), client.patch("/x"), client.delete("/x"),
            client.head("/x"), client.options("/x"), client.request("REPORT", path: "/x"),
            SimpleNetworking.get("/x"), SimpleNetworking.post("/x"), SimpleNetworking.put("/x"),
            SimpleNetworking.patch("/x"), SimpleNetworking.delete("/x"), SimpleNetworking.head("/x"),
            SimpleNetworking.options("/x"), SimpleNetworking.request("REPORT", path: "/x"),
        ]
        for request in requests.dropFirst(8) { request.execute(on: client) }
        for request in requests { _ = await request.ended() }
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "REPORT"]
        #expect(server.log.sorted() == (methods + methods).map { $0 + " /x" }.sorted())
    }

    @Test
    func verbsTakeQueryHeadersAndBody() async throws {
        let server = Server.open()
        let client = SimpleNetworking(server)
        _ = await client.get("/x", query: [("a", "1"), ("b", nil), ("a", "2")], headers: ["X-A": "1"]).ended()
        _ = await client.post("/x", query: ["b": 2, "a": 1], body: Person(name: "Ada")) { $0.header("X-B", "2") }
            .ended()
        _ = try await client.send(SimpleNetworking.put("/x", headers: ["X-C": "3"], body: "text"))
        let requests = server.requests
        #expect(requests.map(\.url.query) == ["a=1&a=2", "a=1&b=2", nil])
        #expect(requests.map { $0.headers["Content-Type"] } == [nil, "application/json", "text/plain; charset=utf-8"])
        #expect(
            requests[0].headers["X-A"] == "1" && requests[1].headers["X-B"] == "2" && requests[2].headers["X-C"] == "3"
        )
    }

    @Test
    func everyLinkReturnsTheRequestAndMayBeDiscarded() async throws {
        let server = Server.open()
        let client = SimpleNetworking(server)
        let request = SimpleNetworking.post("/x")
        request.header("X-A", "1")
        request.headers(["X-B": "2"])
        request.query(["a": "1"])
        request.accept(.html)
        request.contentType("application/vnd.api+json")
        request.body(json: ["a": 1])
        request.timeout(90)
        request.deadline(120)
        request.callbackQueue(.global())
        request.retry(.never)
        request.tag("kind", "test")
        request.acceptable(statuses: HTTPStatuses(200..<400))
        request.authenticate(withHeader: "Bearer t", at: "X-Auth")
        request.authenticateBasic(user: "ada", password: "lovelace")
        #expect(try await client.send(request).httpStatus == 200)
        let sent = try #require(server.requests.first)
        #expect(sent.url.absoluteString == "https://my.api/x?a=1")
        #expect(sent.headers["X-A"] == "1" && sent.headers["X-B"] == "2" && sent.headers["X-Auth"] == "Bearer t")
        #expect(sent.headers["Accept"] == "text/html; charset=utf-8")
        #expect(sent.headers["Content-Type"] == "application/vnd.api+json")
        #expect(sent.headers["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(sent.timeout == 90)
        #expect(request.tags == ["kind": "test"])
    }

    @Test
    func bodiesAreOfManyKinds() async throws {
        let server = Server.open()
        let client = SimpleNetworking(server)
        let object: [String: Any] = ["a": [1, "two", NSNull()]]
        for request in [
            SimpleNetworking.post("/x").body(json: object),
            SimpleNetworking.post("/x").body(form: ["a": "1 2", "b": "ü"]),
            SimpleNetworking.post("/x").body(form: [("a", "1"), ("b", "2")]),
            SimpleNetworking.post("/x").body(data: Data([1, 2]), contentType: .octetStream),
            SimpleNetworking.post("/x").body(text: "ü"),
        ] {
            _ = try await client.send(request)
        }
        let bodies = [#"{"a":[1,"two",null]}"#, "a=1+2&b=%C3%BC", "a=1&b=2", "\u{1}\u{2}", "ü"]
        #expect(server.requests.map(\.bodyText) == bodies)
    }

    @Test
    func theConfigurationHasTheSameWords() {
        let client = SimpleNetworking(host: "my.api") {
            $0.timeout = 10
            $0.deadline = 20
            $0.callbackQueue = .main
            $0.maxResponseSize = 1000
            $0.maxRetries = 1
            $0.defaultHeaders = ["X-A": "1"]
            $0.sessionConfiguration = .ephemeral
            $0.transport = Server.open()
            $0.acceptableStatuses = [200, 404]
            $0.retryPolicy = RetryPolicy(attempts: 3)
        }
        #expect(client.maxRetries == 1 && client.headers["x-a"] == "1")
        client.maxRetries = 2
        client.headers["X-A"] = nil
        #expect(client.configuration.maxRetries == 2 && client.configuration.defaultHeaders.isEmpty)
    }
}

extension TransportRequest {
    nonisolated fileprivate var bodyText: String? {
        if case .data(let data) = body { String(bytes: data, encoding: .utf8) } else { nil }
    }
}
