import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

private typealias Cache = ResponseCache

// As a user may write it who handles no edge cases.
// swift-format-ignore
class MyAPIManager: SimpleNetworking, @unchecked Sendable {
  var token: String? { didSet { self.headers["X-Authorization"] = token } }  // nil removes the field
  func authenticate(_ callback: @escaping () -> Void) {
    self.get("/auth") {(request) in
      return request.accept(.json).on(success: {[weak self] (response) in
        guard let self = self else { return }
        self.token = response.json?["token"] as? String
        callback()
      })
    }
  }
  override func execute(request: SimpleRequest) {
    if request.httpStatusHandlers[401] == nil {
      request.on(httpStatus: 401, {(request, _) in                           // result discardable
        self.authenticate() { request.retry() }
        return false
      })
    }
    super.execute(request: request)
  }
}

/// The types of the samples about typed requests, which other samples name differently.
private enum Typed {
    struct User: Codable, Sendable {
        var id: Int
        var name: String
    }

    enum Paths {
        static func user(_ id: Int) -> Request<User> { .get("/users/\(id)") }
        static func rename(_ id: Int, to name: String) -> Request<Void> {
            .patch("/users/\(id)", body: ["name": name])
        }
    }

    struct Problem: Decodable { var title: String }
}

private struct Refusal: Error { var reason: String }

class SignedAPI: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-Signature"] = "\(attempt.method) \(attempt.url.path)"
    }

    override func validate(_ response: SimpleResponse) throws {
        try super.validate(response)
        if let reason = response.json?["error"] as? String { throw Refusal(reason: reason) }
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        error.httpStatus == 409 && attempt < 3
    }
}

class VersionedAPI: SimpleNetworking, @unchecked Sendable {
    override func url(for request: SimpleRequest) throws -> URL {
        let path = request.isAbsolute ? request.path : "/v2" + request.path
        let url = try url(forPath: path, query: request.query)
        return trusts(url) ? try self.url(forPath: url.absoluteString, query: ["key": "abc"]) : url
    }
}

extension SimpleNetworking {
    static let store = SimpleNetworking(host: "api.example.com")
    static let github = SimpleNetworking(host: "api.github.com")
}

struct Stamp: Middleware {
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        var request = request
        request.headers["X-Request-ID"] = UUID().uuidString
        return try await next(request)
    }
}

/// Runs the samples of the articles that have no file of their own, and checks what the articles say about them.
@Suite(.timeLimit(.minutes(5)))
struct ArticleSamples {
    private struct User: Decodable { let name: String }
    private typealias Client = SimpleNetworking

    private let server = StubTransport()
    private let printed = Printed()

    /// What the samples call.
    private func print(_ item: Any) { printed.add("\(item)") }

    private func client() -> Client {
        Client(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
    }

    @Test(arguments: [
        (StubResponse.json(#"{"id": 7, "name": "Ada"}"#), ["Ada"]),
        (.json("{}"), ["GET https://api.example.com/users/7"]),
        (.status(404), ["no such user"]),
        (.status(500), ["GET https://api.example.com/users/7 failed on the server with status 500."]),
    ])
    func theFirstSampleRunsTheHandlersOfItsResponse(response: StubResponse, lines: [String]) async throws {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String) -> Client { client() }
        server.on(.get, "/users/7", response)

        let api = SimpleNetworking(host: "api.example.com")

        api.get("/users/7") { request in
            request
                .on(httpStatus: 404) { _, _ in
                    print("no such user")
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }

        for line in lines { #expect(await printed.next().hasPrefix(line)) }
        #expect(server.requests.map { $0.url.absoluteString } == ["https://api.example.com/users/7"])
    }

    @Test
    func sendReturnsAResponseThatDecodes() async throws {
        let api = client()
        server.on(.get, "/user", .json(#"{"name": "Ada"}"#))

        let request = SimpleNetworking.get("/user", query: ["id": "7"])
        let user = try await api.send(request).decode(User.self)

        #expect(user.name == "Ada")
    }

    @Test
    func aTypedRequestIsAwaitedOrGivenHandlers() async throws {
        let api = client()
        server.on(.get, "/users", .json(#"[{"name": "Ada"}, {"name": "Bob"}]"#))

        let users = Request<[User]>.get("/users", query: [("page", "2")])
        let list = try await api.send(users).value
        api.execute(users) { $0.on(success: { (users: [User]) in print(users.count) }) }

        #expect(list.map(\.name) == ["Ada", "Bob"])
        #expect(await printed.next() == "2")
        #expect(server.requests.map { $0.url.query } == ["page=2", "page=2"])
    }

    @Test
    func pathsAreAwaitedOrGivenHandlers() async throws {
        typealias Paths = Typed.Paths
        typealias User = Typed.User
        let api = client()
        server.on(.get, "/users/7", .json(#"{"id": 7, "name": "Ada"}"#)).on(.patch, "/users/7", .status(204))
            .on(.get, "/users", .json(#"[{"id": 7, "name": "Ada"}]"#))

        let user = try await api.send(Paths.user(7)).value
        try await api.send(Paths.rename(7, to: "Ada"))
        let users = try await api.send(Request<[User]>.get("/users")).value

        #expect(user.name == "Ada")
        #expect(users.map(\.name) == ["Ada"])
    }

    @Test
    func aListIsDecodedForAHandlerUnlessItsRequestIsCancelled() async throws {
        let api = client()
        server.on("/users", .json(#"[{"name": "Ada"}]"#))

        api.get("/users") { $0.on(success: [User].self) { users in print(users.count) } }

        #expect(await printed.next() == "1")

        let request = api.get("/users") { $0.on(success: [User].self) { users in print(users.count) } }
        request.cancel()

        #expect(await request.ended().error?.isCancellation == true)
    }

    @Test
    func aTypedRequestHasOptions() async throws {
        typealias Paths = Typed.Paths
        typealias User = Typed.User
        let api = client()
        server.on(.get, "/users/7", .json(#"{"id": 7, "name": "Ada"}"#)).on(.patch, "/users/7", .status(204))

        let fresh = SimpleRequest(Paths.user(7)).timeout(90).cachePolicy(.reload).retry(RetryPolicy(attempts: 3))
        let reloaded = try await api.send(fresh).decode(User.self, using: api.decoder(for: fresh))
        let upload = SimpleRequest(Paths.rename(7, to: "Ada")).on(progress: { print($0.fractionSent ?? 0) })
        _ = try await api.send(upload)

        #expect(reloaded.name == "Ada")
        #expect(server.log == ["GET /users/7", "PATCH /users/7"])
        #expect(server.requests.first?.headers["Cache-Control"] == "no-cache")
    }

    @Test(arguments: [
        (StubResponse.json(#"{"title": "no name"}"#, status: 422), "no name"),
        (.json(#"{"id": 1, "name": ""}"#, status: 201), ", 201"),
    ])
    func handlersTakeValues(response: StubResponse, line: String) async throws {
        typealias User = Typed.User
        typealias Problem = Typed.Problem
        let api = client()
        server.on(.post, "/users", response)

        api.post("/users", body: ["name": ""]) { request in
            request
                .on(httpStatus: 422, decoding: Problem.self) { problem, _, _ in
                    print(problem.title)
                    return true
                }
                .on(success: User.self) { user, response in print("\(user.name), \(response.httpStatus)") }
        }

        #expect(await printed.next() == line)
    }

    @Test
    func aSubclassSignsValidatesAndRetries() async throws {
        server.on("/x", .status(409), times: 1).on("/x", .json(#"{"error": "closed"}"#))
        let api = SignedAPI(host: "api.example.com") { $0.transport = server }
        let error = await #expect(throws: SimpleNetworkingError.self) { try await api.send(.get("/x")) }
        guard case .failed(let refusal as Refusal, _, let response)? = error else { throw Unexpected(error as Any) }
        #expect(refusal.reason == "closed" && response?.attempt == 2)
        #expect(server.requests.map { $0.headers["X-Signature"] } == ["GET /x", "GET /x"])
    }

    @Test
    func middlewareStampsEachAttempt() async throws {
        server.on("/x", .status(204))
        let api = Client(host: "api.example.com") {
            $0.transport = server
            $0.middleware = [Stamp()]
        }
        try await api.send(.get("/x"))
        #expect(server.requests.first?.headers["X-Request-ID"]?.count == 36)
    }

    @Test
    func theSubclassSignsInAndRetries() async throws {
        let server = StubTransport()
            .on(.get, "/user", .status(401), times: 1)
            .on(.get, "/auth", .json(#"{"token": "t"}"#))
            .on(.get, "/user", .json(#"{"name": "Ada"}"#))
        let api = MyAPIManager(host: "api.example.com") { $0.transport = server }
        let request = SimpleNetworking.get("/user").on(success: { _ in })
        _ = try await api.send(request)

        #expect(server.log == ["GET /user", "GET /auth", "GET /user"])
        try expectOrder(of: request, [.status(401), .retry, .success])

        #expect(server.requests.map { $0.headers["X-Authorization"] } == [nil, nil, "t"])
        await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.get("/unknown")) }
    }

    @Test
    func theSubclassEndsWhenAuthIsRejectedToo() async throws {
        server.on("*", .status(401))
        let api = MyAPIManager(host: "api.example.com") {
            $0.transport = server
            $0.logger = .silent
        }
        let error = await api.get("/user").ended().error
        #expect(error?.httpStatus == 401)
        #expect((1...4).contains(server.requests(to: "/auth").count))
    }

    @Test
    func theSubclassEndsWithAbandonedWhenAuthFails() async throws {
        server.on("/user", .status(401)).on("/auth", .failure(NetworkFailure(.cannotConnect)))
        let api = MyAPIManager(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        let error = await api.get("/user").ended().error
        guard case .abandoned? = error else { throw Unexpected(error as Any) }
    }

    @Test
    func theDefaultsAreAsPrinted() {
        let configuration = SimpleNetworking.Configuration()
        #expect(configuration.maxRetries == 3)
        #expect(configuration.timeout == 60)
        #expect(configuration.deadline == nil)
        #expect(configuration.maxResponseSize == 64 * 1024 * 1024)
        #expect(configuration.redirectPolicy == RedirectPolicy(limit: 20, allowsDowngrade: false))
    }

    @Test
    func aClientHasItsConfiguration() {
        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.timeout = 10
            configuration.deadline = 60
            configuration.defaultHeaders["X-App"] = "demo"
        }

        #expect(api.configuration.timeout == 10)
        #expect(api.configuration.deadline == 60)
        #expect(api.headers["x-app"] == "demo")
    }

    @Test(arguments: [
        (StubResponse.status(201), "saved with status 201"),
        (
            .text("too long", status: 422),
            "POST https://api.example.com/notes was refused with status 422. "
                + "The response says: “too long”. too long"
        ),
    ])
    func aValueIsPostedAsJSON(response: StubResponse, line: String) async throws {
        let api = client()
        server.on(.post, "/notes", response)

        let note = ["text": "Buy bread"]
        api.post("/notes", body: note) { request in
            request
                .on(success: { response in print("saved with status \(response.httpStatus)") })
                .on(error: { error, response in print("\(error) \(response?.text ?? "")") })
        }

        #expect(await printed.next() == line)
        let sent = try #require(server.requests.first)
        #expect(sent.headers["Content-Type"] == "application/json")
        guard case .data(let data) = sent.body else { throw Unexpected(sent.body) }
        #expect(String(decoding: data, as: UTF8.self) == #"{"text":"Buy bread"}"#)
    }

    @Test
    func aRequestIsExecutedLater() async throws {
        let api = client()
        server.on(.get, "/notes", .json("[1, 2]"))

        let refresh = SimpleNetworking.get("/notes").on(success: { response in
            print(response.jsonArray?.count ?? 0)
        })
        refresh.execute(on: api)

        #expect(await printed.next() == "2")
    }

    @Test
    func aRetryPolicyHonoursRetryAfter() async throws {
        let clock = VirtualClock()
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.clock = clock
            $0.timeout = 500
        }
        server.on(.get, "/report", .status(503, headers: ["Retry-After": "7"]), times: 1)
            .on(.get, "/report", .json("{}"))

        async let passing: Void = {
            while clock.alarms != [7] { await Task.yield() }
            clock.advance(by: 7)
        }()
        let report = try await api.send(SimpleNetworking.get("/report").retry(RetryPolicy(attempts: 3)))

        await passing
        #expect(report.attempt == 2)
    }

    @Test
    func theVersionAndTheKeyAreInEveryURL() async throws {
        server.on("*", .json("{}"))
        let api = VersionedAPI(host: "api.example.com") { $0.transport = server }
        await api.get("/user", query: ["id": 7]).ended()
        await api.get("https://api.example.com/v2/users?page=2").ended()
        await api.get("https://other.example.com/users?page=2").ended()
        #expect(
            server.requests.map(\.url.absoluteString) == [
                "https://api.example.com/v2/user?id=7&key=abc",
                "https://api.example.com/v2/users?page=2&key=abc",
                "https://other.example.com/users?page=2",
            ]
        )
    }

    @Test
    func theSharedClientIsAStatic() {
        SimpleNetworking.store.get("/user") { $0.on(success: User.self) { user in print(user.name) } }
    }

    @Test
    func aCachedResponseNeedsNoServer() async throws {
        // The real one would be in the user's caches folder.
        enum ResponseCache {
            static func shared(named name: String) -> Cache { Cache() }
        }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) { configuration in
                configure(&configuration)
                configuration.transport = server
            }
        }
        server.on(.get, "/news", .text("rain", headers: ["Cache-Control": "max-age=60"]))

        let cache = ResponseCache.shared(named: "api.example.com")
        let api = SimpleNetworking(host: "api.example.com") { $0.cache = cache }

        let traced = SimpleNetworking(host: "api.example.com") {
            $0.cache = cache
            $0.sharedHeaders = ["X-Request-ID"]
        }

        func read() {
            api.get("/news") { request in
                request
                    .cachePolicy(.onlyCached)
                    .on(success: { response in print(response.text ?? "") })
                    .on(error: { error in
                        if case .notCached = error { print("nothing stored yet") }
                    })
            }
        }
        read()
        #expect(await printed.next() == "nothing stored yet")
        await api.get("/news").ended()
        read()
        #expect(await printed.next() == "rain")
        await traced.get("/news", headers: ["X-Request-ID": "7"]).ended()
        await cache.removeAll()
        read()
        #expect(await printed.next() == "nothing stored yet")
        #expect(server.requests.count == 1)
    }

    @Test
    func errorHandlersStaySilentWhenAStatusHandlerReturnsFalse() async throws {
        let api = client()
        server.on(.get, "/users/7", .status(404))

        let request =
            api.get("/users/7") { request in
                request
                    .on(httpStatus: 404) { _, _ in
                        print("no such user")
                        return false
                    }
                    .on(error: { error in print("alert: \(error)") })
            }

        guard case .stopped(_, let response)? = await request.ended().error else { throw Unexpected("another end") }
        #expect(response?.httpStatus == 404)
        print("the end")
        #expect(await printed.next() == "no such user")
        #expect(await printed.next() == "the end")
    }

    @Test
    func aStatusHandlerTurnsA404IntoAnEmptyList() async throws {
        let api = client()
        server.on(.get, "/notes", .status(404))

        api.get("/notes") { request in
            request
                .on(httpStatus: 404) { request, response in
                    request.succeed(with: SimpleResponse(request: response.request, data: Data("[]".utf8)))
                    return false
                }
                .on(success: { response in print(response.jsonArray?.count ?? -1) })
        }

        #expect(await printed.next() == "0")
    }

    @Test
    func aLoggerPassesMessagesToAClosure() async throws {
        typealias Client = SimpleNetworking
        server.on(.get, "/user", .json("{}"))
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = server
            }
        }

        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.logger = RequestLogger(level: .info) { level, message in print("\(level): \(message)") }
        }
        api.logLevel = .debug
        api.get("/user?access_token=t") { $0.on(error: { error in print(error) }) }

        let line = await printed.next()
        #expect(line.hasPrefix("info: #") && line.contains("access_token=‹secret› (made at "))
        #expect(await printed.next().hasPrefix("debug: #"))
    }

    @Test
    func aMonitorReceivesEvents() async throws {
        struct Failures: EventMonitor {
            let report: @Sendable (String) -> Void

            func observe(_ event: RequestEvent, of request: ObservedRequest) {
                if case .ended(.failure(let error)) = event.kind { report("#\(request.number) \(error)") }
            }
        }
        server.on(.get, "/user", .status(404))

        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.transport = server
            configuration.eventMonitors = [Failures { line in print(line) }]
        }
        _ = try? await api.send(SimpleNetworking.get("/user"))

        #expect(await printed.next().hasSuffix("GET https://api.example.com/user was refused with status 404."))
    }

    @Test
    func curlAndExplainDescribeARequest() async throws {
        let api = client()

        let note = SimpleNetworking.post("/notes", body: ["text": "it's late"])
        print(try await note.curl(on: api))
        print(await note.explain(status: 401, on: api))

        #expect(await printed.next().hasSuffix(#"--data-raw '{"text":"it'\''s late"}'"#))
        let lines = "POST https://api.example.com/notes\nAccept: */*;q=0.5, application/json\n"
        #expect(await printed.next().hasPrefix(lines))
    }

    private func servePeople() -> SimpleNetworking {
        server.on(.get, "/people", .json(#"{"results": [{"name": "Ada"}], "next": "/people?__token=t"}"#), times: 1)
            .on(.get, "/people", .json(#"{"results": [{"name": "Bob"}], "next": null}"#))
        return client()
    }

    @Test
    func itemsOfAllPagesAreASequence() async throws {
        typealias Person = User
        let api = servePeople()

        let first = SimpleNetworking.get("/people", query: ["limit": "100"])
        for try await person in api.items(of: Person.self, at: "results", for: first, style: .links()) {
            print(person.name)
        }

        #expect(await printed.next() == "Ada")
        #expect(await printed.next() == "Bob")
    }

    @Test
    func aPageHandlerGetsEachPage() async throws {
        typealias Person = User
        let api = servePeople()

        api.get("/people", query: ["limit": "100"]) { request in
            request
                .on(page: .links(), of: Person.self, at: "results") { page in
                    print(page.items.map(\.name).joined(separator: ", "))
                    return page.number < 10
                }
                .on(success: { _ in print("that was all") })
                .on(error: { error in print(error) })
        }

        #expect(await printed.next() == "Ada")
        #expect(await printed.next() == "Bob")
        #expect(await printed.next() == "that was all")
    }

    @Test
    func aPaginationStyleMayBeAClosure() async throws {
        typealias Person = User
        server.on(.get, "/people", .json(#"{"data": [{"name": "Ada"}], "page": {"last_id": 7}}"#), times: 1)
            .on(.get, "/people", .json(#"{"data": [], "page": {}}"#))
        let api = client()

        let byLastID = PaginationStyle(fields: ["page.last_id"]) { page in
            PaginationStyle.Info(next: page["page.last_id"].map { id in .query([("after", id)]) })
        }
        let people = api.items(of: Person.self, at: "data", for: SimpleNetworking.get("/people"), style: byLastID)

        #expect(try await people.reduce(0) { count, _ in count + 1 } == 1)
        #expect(server.requests.last?.url.query == "after=7")
    }
}

/// What a sample prints, in order.
private final class Printed: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (lines, continuation) = AsyncStream.makeStream() }

    func add(_ line: String) { continuation.yield(line) }

    /// Waits for the next line.
    func next() async -> String { await lines.first { _ in true } ?? "" }
}
