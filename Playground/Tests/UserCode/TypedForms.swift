import DemoServer
import SimpleNetworking
import Testing

// Content is decoded on a background thread, where a main-actor conformance to Codable can't be used: hence `nonisolated`,
// which matters only where the main actor is the default.
nonisolated struct Person: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

nonisolated struct Repo: Codable, Sendable {
    enum Access: String, Codable, Sendable { case `public`, `private` }

    var name = "x"
    var access = Access.private
}

nonisolated struct Echo: Decodable, Sendable {
    var method: String
}

/// The endpoints of an API, as values.
nonisolated enum Paths {
    static var users: Users { Users() }
    static func user(_ id: Int) -> User { User(path: "/users/\(id)") }

    struct Users {
        let path = "/users"
        var get: Request<[Person]> { Request(path: path, method: "GET", id: "users/list") }
    }

    struct User {
        let path: String
        var get: Request<Person> { .get(path) }
        func get(page: Int? = nil) -> Request<Person> { .get(path, query: [("page", page.map(String.init))]) }
        func patch(_ body: Repo) -> Request<Void> { .patch(path, body: body) }
        func delete(_ body: [String: String]? = nil) -> Request<String?> { .delete(path, body: body) }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct TypedForms {
    @Test
    func requestsAreMade() throws {
        let url = try #require(URL(string: "https://api.example.com/x"))
        #expect(Request<Person>.get("/user").method == .get)
        #expect((Request<Void>.post("/repos", body: Repo(name: "x")).body as? Repo)?.name == "x")
        let patch = Request<Repo>.patch(
            "/repos/octokit",
            query: [("password", "123456")],
            body: Repo(access: .public),
            headers: ["Version": "v2"]
        )
        #expect(patch.headers == ["Version": "v2"])
        let list = Request<Repo>(
            path: "/repos",
            method: "GET",
            query: [("a", nil)],
            body: nil,
            headers: nil,
            id: "repos/list"
        )
        #expect(list.id == "repos/list")
        #expect(Request<Repo>(url: url, method: .put).url == url)
        #expect(Request(path: "/x").withResponse([Repo].self).path == "/x")
        #expect(Request.get("/x", query: [("a", "b")]).query?.map(\.0) == ["a"])
        #expect(Request<Person>.get("/x", query: [("page", "2")]).query?.map(\.1) == ["2"])
    }

    @Test
    func awaitedRequestsReturnValues() async throws {
        let server = try await DemoServer.start()
        let client = SimpleNetworking(baseURL: server.baseURL) {
            $0.sessionConfiguration.httpAdditionalHeaders = ["User-Agent": "x"]
            $0.decoder = JSONDecoder.standard
        }
        let user: Person = try await client.send(.get("/users/1")).value
        #expect(user.name == "Ada Lovelace")
        try await client.send(.post("/echo", body: ["kean@example.com"]))
        // The value may be ignored.
        try await client.send(Request<Person>.get("/users/1"))
        try await client.send(Request<Person>.get("/users/1", query: [("a", "b")]))
        let users = try await client.send(Paths.users.get)
        #expect(users.value.count == 3 && users.statusCode == 200 && users.attempt == 1)
        #expect(users.metrics.total > 0 && !users.headers.isEmpty && users.request.method == .get)
        let data = try await client.data(for: Paths.user(1).get)
        #expect(data.value == data.data)
        let echo = try await client.send(Request<Echo>.get("/echo")) { $0.method = .put }
        #expect(echo.value.method == "PUT")
        #expect(try await client.makeRequest(for: Paths.user(2).get(page: 3)).url.query == "page=3")
        await #expect(throws: SimpleNetworkingError.self) { try await client.send(Paths.user(7).get) }
        await server.stop()
    }

    @Test
    func theSameRequestsTakeHandlers() async throws {
        let server = try await DemoServer.start()
        let client = SimpleNetworking(baseURL: server.baseURL)
        var names: [String] = []
        let request = client.execute(Paths.users.get) {
            $0.on(success: { (people: [Person]) in names += people.map(\.name) })
        }
        _ = await request.ended()
        #expect(names.count == 3)
        await server.stop()
    }

    @Test
    func handlersTakeValues() async throws {
        let server = try await DemoServer.start()
        let client = SimpleNetworking(baseURL: server.baseURL)
        var words: [String] = []
        let request = client.get("/users/1") {
            $0.on(success: Person.self) { person in words.append(person.name) }
                .on(success: Person.self) { _, response in words.append("\(response.httpStatus)") }
                .on(start: { head in words.append("start \(head.url.path)") })
                .on(retry: { _, attempt in words.append("retry \(attempt)") })
                .on(redirect: { status, _ in words.append("redirect \(status)") })
        }
        _ = await request.ended()
        #expect(words == ["start /users/1", "Ada Lovelace", "200"])
        let missing = client.get("/users/7") {
            $0.on(httpStatus: 404, decoding: [String: String].self) { problem, _, response in
                words.append("\(response.httpStatus) \(problem.isEmpty)")
                return true
            }
            .on(error: [String: String].self) { error, problem, response in
                words.append("\(error.httpStatus ?? 0) \(problem != nil) \(response != nil)")
            }
        }
        _ = await missing.ended()
        #expect(words.suffix(2) == ["404 false", "404 true true"])
        await server.stop()
    }

    @Test
    func handlersAreBoundToAnOwner() async throws {
        final class Screen: Sendable {}
        let client = SimpleNetworking(Server.open())
        let here = Screen()
        var isCalled = false
        let request = client.get("/x") { $0.on(success: { _ in isCalled = true }, owner: here) }
        _ = await request.ended()
        #expect(isCalled)
        withExtendedLifetime(here) {}
    }

    @Test
    func aSubclassHasHooksAndAClientMiddleware() async throws {
        let server = Server.open()
        let api = SigningAPI(host: "my.api") {
            $0.transport = server
            $0.middleware = [Stamp()]
        }
        try await api.send(.get("/x"))
        #expect(server.requests.map { $0.headers["X-Signature"] } == ["signed"])
        #expect(server.requests.map { $0.headers["X-Stamp"] } == ["stamped"])
    }
}

nonisolated final class SigningAPI: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-Signature"] = "signed"
    }

    override func validate(_ response: SimpleResponse) throws {
        try super.validate(response)
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        error.httpStatus == 503
    }
}

nonisolated struct Stamp: Middleware {
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        request.headers["X-Stamp"] = "stamped"
        return try await next(request)
    }
}
