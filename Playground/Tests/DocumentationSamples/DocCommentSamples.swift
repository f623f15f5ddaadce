import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingDigest
import SimpleNetworkingForms
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

// The samples of doc comments, which are compiled and not run.

private struct Person: Decodable, Sendable { var name: String }
private struct Repo: Decodable, Sendable { var name: String }

private enum Paths {
    struct Repos { let get: Request<[Repo]> }
    struct Account { let repos: Repos }

    static func users(_ name: String) -> Account {
        Account(repos: Repos(get: .get("/users/\(name)/repos")))
    }
}

private class KeyedAPI: SimpleNetworking, @unchecked Sendable {
    let key = "abc"

    override func url(for request: SimpleRequest) throws -> URL {
        let path = request.isAbsolute ? request.path : "/v2" + request.path
        let url = try url(forPath: path, query: request.query)
        return trusts(url) ? try self.url(forPath: url.absoluteString, query: ["key": key]) : url
    }
}

private struct Encrypting: Middleware {
    let encrypt: @Sendable (Data) -> Data

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        guard case .chunks(_, let chunks) = request.body else { return try await next(request) }
        var request = request
        request.body = .chunks(length: nil, BodyChunks(trailers: chunks.trailers) { chunks.map(encrypt) })
        return try await next(request)
    }
}

private class BearerAPI: SimpleNetworking, @unchecked Sendable {
    init(saved: Secret?) {
        super.init(host: "api.example.com")
        authenticate(
            with: BearerAuthenticator(token: saved) { [weak self] refused in
                guard let self else { throw CancellationError() }
                return Secret(try await self.send(Request<String>.post("/token", body: refused.reveal())).value)
            }
        )
    }
}

private class SignInAPI: SimpleNetworking, @unchecked Sendable {
    func signIn() async throws {
        headers["Authorization"] = try await send(Request<String>.post("/token")).value
    }

    override func execute(request: SimpleRequest) {
        if headers["Authorization"] != nil { return super.execute(request: request) }
        reauthenticate(request, refreshing: { try await self.signIn() })
    }
}

private class CallbackAPI: SimpleNetworking, @unchecked Sendable {
    var token: String?

    func refreshes(_ request: SimpleRequest) {
        request.on(httpStatus: 401) { request, _ in
            self.reauthenticate(request) { done in
                self.get("/auth") {
                    $0.on(success: {
                        self.token = $0.json?["token"] as? String; done()
                    }).on(error: { done($0) })
                }
            }
            return false
        }
    }
}

private struct FilmLibrary: Sendable {
    let api: SimpleNetworking

    let transfers = BackgroundTransfers(identifier: "com.example.films")

    func follow() async {
        for await transfer in transfers.finished {
            print(transfer.id, transfer.file ?? "no file", transfer.result)
        }
    }

    func fetch(_ film: String, to file: URL) async throws {
        try await transfers.start(SimpleNetworking.get("/films/\(film)").download(to: file), on: api, id: film)
    }
}

private enum ClientSamples {
    static func client() {
        let api = SimpleNetworking(host: "api.example.com")
        api.get("/user") { request in
            request
                .on(error: { error in print(error) })
                .on(success: { response in print(response.json ?? [:]) })
        }
    }

    static func fetchToken(insteadOf refused: Secret) async throws -> Secret { refused }

    static func bearer(_ saved: Secret?) {
        let bearer = BearerAuthenticator(token: saved) { refused in try await fetchToken(insteadOf: refused) }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        _ = api
    }

    static func order(_ api: SimpleNetworking, _ order: [String: Int]) {
        api.post("/orders", body: order) {
            $0.on(error: { error in print(error.problem?.title ?? error.description) })
        }
    }

    static func search(_ text: String) {
        let users = Request<[User]>.get("/search").query(["q": text, "page": 2])
        _ = users
    }

    /// The sample of the article “Small programs and containers”.
    static func health() async throws {
        let api = SimpleNetworking(host: "api.example.com")
        let status = try await api.send(SimpleNetworking.get("/health")).httpStatus
        print(status)
    }

    static func breaker() {
        let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [CircuitBreaker()] }
        _ = api
    }

    static func hedging() {
        let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [Hedging(after: 0.2)] }
        _ = api
    }

    static func redirects(_ api: SimpleNetworking) {
        api.get("/latest") { request in
            request.redirects(.follow) { head, _ in head.headers["X-Redirected"] = "yes" }
        }
    }

    static func steps(_ event: RequestEvent) {
        func count(_ step: some RequestNote) {}
        if case .note(let step as TrafficStep) = event.kind { count(step) }
        if case .note(let step as CircuitStep) = event.kind { count(step) }
        if case .note(let step as CacheStep) = event.kind { count(step) }
    }

    static func transfers(_ api: SimpleNetworking, _ file: URL) async throws {
        try await api.download(for: SimpleNetworking.get("/film.mp4"), to: file)
        for try await line in api.lines(for: SimpleNetworking.get("/log")) where line.hasPrefix("error") { print(line) }
    }

    static func allowance() {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.retryPolicy = RetryPolicy(attempts: 3)
            $0.retryAllowance = RetryAllowance()
        }
        _ = api
    }

    static func basic() {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.authenticate(with: "ada", password: "open sesame")
        }
        _ = api
    }

    static func nestedForm() throws -> Query {
        struct Search: Encodable {
            var text: String
            var tags: [String]
        }
        let query = try Query(encoding: Search(text: "tea", tags: ["green", "hot"])) { $0.arrays = .brackets }
        return query
    }

    static func digest() {
        let api = SimpleNetworking(host: "printer.example.com") {
            $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
        }
        _ = api
    }

    static func monitor() {
        func count(_ error: SimpleNetworkingError, _ id: String?) {}
        struct Failures: EventMonitor {
            func observe(_ event: RequestEvent, of request: ObservedRequest) {
                if case .ended(.failure(let error)) = event.kind { count(error, request.tags["id"]) }
            }
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.eventMonitors = [Failures()] }
        _ = api
    }

    static func typed(_ client: SimpleNetworking) async throws {
        client.execute(Paths.users("kean").repos.get) { $0.on(success: { (repos: [Repo]) in print(repos) }) }
        let user = try await client.send(Request<User>.get("/user")).value
        _ = user
    }

    static func streams(_ api: SimpleNetworking) async throws {
        for try await chunk in api.bytes(for: SimpleNetworking.get("/log")) { print(chunk.count) }
        for try await event in api.events(for: SimpleNetworking.get("/news")) { print(event.data) }
        for try await user in api.jsonLines(of: User.self, for: SimpleNetworking.get("/export")) { print(user.name) }
    }

    static func pages(_ api: SimpleNetworking) async throws {
        let people = api.pages(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
        for try await page in people { print(page.number, page.items.count) }
    }

    static func items(_ api: SimpleNetworking) async throws {
        let people = api.items(of: Person.self, at: "results", for: SimpleNetworking.get("/people"), style: .links())
        for try await person in people { print(person.name) }
    }

    static func content(_ api: SimpleNetworking, words: [String], photoURL: URL) -> Multipart {
        let words = AsyncStream { stream in
            for word in words { stream.yield(word) }
            stream.finish()
        }
        api.post("/echo") { request in
            request.body(chunks: BodyChunks { words.map { Data($0.utf8) } }, contentType: .text)
        }
        api.get("/users/\(segment: "a/b?")/notes")  // /users/a%2Fb%3F/notes
        let form = Multipart().field("title", "Sunset").file("photo", at: photoURL, type: "image/jpeg")
        return form
    }

    static func problem(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as SimpleNetworkingError {
            print(error.content(as: Problem.self)?.message ?? error.description)
        }
    }
}

private enum RequestSamples {
    static func pages(_ client: SimpleNetworking) {
        var people: [Person] = []
        client.get("/people") {
            $0.on(page: .links(), of: Person.self, at: "results") { page in
                people += page.items
                return people.count < 100
            }
            .on(error: { error in print(error) })
        }
    }

    static func progress(_ api: SimpleNetworking, file: URL) async {
        let request = SimpleNetworking.put("/film.mp4").body(file: file, contentType: "video/mp4")
        let progress = request.progressUpdates()
        request.execute(on: api)
        for await update in progress { print(update.fractionSent ?? 0) }
    }

    static func noResponse(_ api: SimpleNetworking, offerToTryAgain: @escaping (@escaping () -> Void) -> Void) {
        api.get("/user") {
            $0.on(noResponse: { request, error in
                offerToTryAgain { request.retry() }
                return false
            })
        }
    }

    static func completion(_ api: SimpleNetworking) {
        func show(_ result: Result<User, SimpleNetworkingError>) {}
        api.get("/user") { $0.on(completion: User.self, { result in show(result) }) }
    }
}

private enum TestKitSamples {
    static func stub() throws -> SimpleNetworking {
        let server = StubTransport()
            .on(.get, "/users/{id}", .replies(.status(401), .json(#"{"name": "Ada"}"#)))
            .on(.post, "/users", where: [.json(#"{"name": "Bob"}"#)], .status(201))
        let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
        let request = try server.expectRequest(.post, "/users", where: [.json(#"{"name": "Ada"}"#)])
        _ = request
        return api
    }

    static func cassette() -> SimpleNetworking {
        let cassette = Cassette("Fixtures/users.json")
        let api = SimpleNetworking(host: "api.example.com") { $0.middleware = [cassette] }
        return api
    }

    static func loopback(run: (String, String, String) throws -> Void) throws {
        let server = try LoopbackServer(StubTransport().on("/user", .json(#"{"name": "Ada"}"#)))
        try run("my-tool", "--url", server.url.absoluteString)
        try server.stub.verify()
    }

    static func clock() async throws {
        let clock = VirtualClock()
        let api = SimpleNetworking(host: "api.example.com") { $0.clock = clock }
        api.get("/user") {
            $0.on(httpStatus: 503) { request, _ in
                request.retry(after: 60); return false
            }
        }
        try await clock.advance(to: .retry)
    }

    static func order(_ request: SimpleRequest) throws {
        try expectOrder(of: request, [.status(401), .retry, .success])
    }

    static func world(_ world: SimulatedWorld) -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") { world.configure(&$0) }
        return api
    }

    static func simulation() async throws {
        try await simulate(seeds: 1...1_000) { world in
            world.server.on(.get, "/user", .json(#"{"name": "Ada"}"#))
            let api = SimpleNetworking(host: "api.example.com") {
                world.configure(&$0)
                $0.retryPolicy = RetryPolicy(attempts: 3)
            }
            let request = api.get("/user")
            world.sometime("the screen closes") { request.cancel() }
        }
    }
}
