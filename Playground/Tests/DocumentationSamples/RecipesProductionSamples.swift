import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingCookies
import SimpleNetworkingTesting
import Testing

private typealias Client = SimpleNetworking

/// Runs the samples of the article “Recipes: signing in, robustness, insight”.
@Suite(.timeLimit(.minutes(5)))
struct RecipesProductionSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private func end(_ lines: [String]) async throws {
        let printed = printed
        try await eventually { printed.elements.count >= lines.count }
        #expect(printed.elements == lines)
    }

    /// A client with a stub in place of the network.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void = { _ in }) -> Client {
        client(configure)
    }

    @Test
    func aTokenIsSent() async throws {
        let token = Secret("t")
        server.on("/x", .status(204))
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = BearerAuthenticator(token: token) }
        try await api.send(.get("/x"))
        #expect(server.requests[0].headers["Authorization"] == "Bearer t")
    }

    @Test
    func aTokenIsRefreshed() async throws {
        let token = Secret("old")
        server.on("/token", .json(#"{"token": "new"}"#))
            .on("/x") { .status($0.headers["Authorization"] == "Bearer new" ? 204 : 401) }
        struct IssuedToken: Decodable, Sendable {
            let token: Secret
        }
        let accounts = SimpleNetworking(host: "accounts.example.com")
        let bearer = BearerAuthenticator(token: token) { refused in
            try await accounts.send(Request<IssuedToken>.post("/token", body: ["token": refused])).value.token
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        try await api.send(.get("/x"))
        #expect(server.log == ["GET /x", "POST /token", "GET /x"])
    }

    @Test
    func basicCredentialsAreSent() async throws {
        let (api, password) = (client(), "p")
        server.on("/report", .status(204))
        api.authenticate(with: "ada", password: password)
        api.get("/report") { $0.authenticateBasic(user: "guest", password: "") }
        try await api.send(.get("/report"))
        #expect(Set(server.requests.map { $0.headers["Authorization"] }) == ["Basic Z3Vlc3Q6", "Basic YWRhOnA="])
    }

    @Test
    func keysAreSent() async throws {
        class KeyedAPI: SimpleNetworking, @unchecked Sendable {
            override func url(for request: SimpleRequest) throws -> URL {
                let url = try super.url(for: request)
                return trusts(url) ? try self.url(forPath: url.absoluteString, query: ["key": "k-7"]) : url
            }
        }

        let api = KeyedAPI(host: "api.example.com") { $0.defaultHeaders["X-Api-Key"] = "k-7" }
        let head = try await api.makeRequest(for: SimpleRequest(Request.get("/x"))).head
        #expect(head.url.query == "key=k-7" && head.headers["X-Api-Key"] == "k-7")
        #expect(!"\(head)".contains("k-7"))
    }

    @Test
    func signingOutForgets() async throws {
        let (cache, jar, bearer) = (ResponseCache(), CookieJar(), BearerAuthenticator(token: Secret("t")))
        let api = client { $0.authenticator = bearer }
        server.on("/x", .status(204))
        bearer.token = nil
        api.signOut()
        await cache.removeAll()
        jar.removeAll()
        try await api.send(.get("/x"))
        #expect(server.requests[0].headers["Authorization"] == nil)
    }

    @Test
    func cookiesSignIn() async throws {
        let password = "p"
        server.on("/login", .status(204, headers: ["Set-Cookie": "s=1; Path=/"])).on("/account", .status(204))
        let api = SimpleNetworking(host: "api.example.com") { $0.cookieJar = CookieJar() }
        await api.post("/login") { $0.body(form: ["user": "ada", "password": password]) }.ended()
        let account = try await api.send(.get("/account"))
        #expect(account.request.headers["Cookie"] == "s=1")
    }

    @Test
    func anAttemptTimesOut() async throws {
        let clock = VirtualClock()
        let api = client { $0.clock = clock }
        server.on("/report", .silence)
        api.get("/report") { $0.timeout(10).deadline(60).on(error: { error in print(error) }) }
        try await clock.advance(to: .timeout)
        try await end(["GET https://api.example.com/report got no complete response within its timeout of 10 s."])
    }

    @Test
    func anOverloadedServerIsAskedAgain() async throws {
        let clock = VirtualClock()
        let api = client { $0.clock = clock }
        server.on("/report", .status(503, headers: ["Retry-After": "0"]), times: 1).on("/report", .json("{}"))
        async let passing: Void = {
            let server = server
            try await eventually {
                clock.advance(by: 1)
                return server.requests.count == 2
            }
        }()
        let report = try await api.get("/report") { $0.retry(RetryPolicy(attempts: 3)) }.ended().get()
        print("after \(report.attempt) attempts")
        try await passing
        try await end(["after 2 attempts"])
    }

    @Test
    func aKeyAllowsRetries() async throws {
        let clock = VirtualClock()
        let api = client { $0.clock = clock }
        let order = ["tea": 1]
        server.on("/orders", .failure(NetworkFailure(.connectionLost)), times: 1).on("/orders", .status(201))
        api.post("/orders", body: order) { $0.idempotent().retry(RetryPolicy(attempts: 3)) }
        let server = server
        try await eventually {
            clock.advance(by: 1)
            return server.requests.count == 2
        }
        #expect(Set(server.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
    }

    @Test
    func storedContentIsShownOffline() async throws {
        let api = client { $0.cache = ResponseCache() }
        server.on("/news", .text("rain", headers: ["Cache-Control": "max-age=0", "ETag": "\"1\""]), times: 1)
            .on("/news", .failure(NetworkFailure(.offline)))
        try await api.send(.get("/news"))
        api.get("/news") { request in
            request
                .on(noResponse: { _, _ in
                    api.get("/news") { $0.cachePolicy(.onlyCached).on(success: { stored in print(stored.text ?? "") }) }
                    return true
                })
                .on(success: { response in print(response.text ?? "") })
                .on(error: { _ in print("You are offline.") })
        }
        let printed = printed
        try await eventually { printed.elements.count == 2 }
        #expect(Set(printed.elements) == ["rain", "You are offline."])
    }

    @Test
    func storedContentIsReloaded() async throws {
        let api = client { $0.cache = ResponseCache() }
        server.on("/news", .text("rain", headers: ["Cache-Control": "max-age=60"]), times: 1).on("/news", .text("sun"))
        try await api.send(.get("/news"))
        api.get("/news") { $0.cachePolicy(.reload).on(success: { response in print(response.text ?? "") }) }
        try await end(["sun"])
    }

    @Test
    func eachAttemptHasAnID() async throws {
        struct Numbering: Middleware {
            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                var request = request
                request.headers["X-Request-ID"] = UUID().uuidString
                return try await next(request)
            }
        }
        let api = client { $0.middleware = [Numbering()] }
        server.on("/x", .status(503), times: 1).on("/x", .status(204))
        _ = try await api.send(SimpleRequest(Request.get("/x")).retry(RetryPolicy(attempts: 2, backoff: .constant(0))))
        #expect(Set(server.requests.map { $0.headers["X-Request-ID"] }).count == 2)
    }

    @Test
    func aBadNetworkLosesSomeRequests() async throws {
        struct BadNetwork: Middleware {
            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                if Int.random(in: 1...10) == 1 { throw NetworkFailure(.connectionLost) }
                return try await next(request)
            }
        }
        let api = client { $0.middleware = [BadNetwork()] }
        server.on("/x", .status(204))
        var lost = 0
        // That none of 300 is lost has a probability of 2e-14.
        for _ in 1...300 where await api.get("/x").ended().value == nil { lost += 1 }
        #expect((1..<300).contains(lost))
    }

    @Test
    func aClosureGetsTheLog() async throws {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.logger = RequestLogger(level: .info) { level, message in print("\(level): \(message)") }
        }
        server.on("/x", .status(204))
        try await api.send(.get("/x"))
        #expect(printed.elements.first?.hasPrefix("info: #") == true)
    }

    @Test
    func aMonitorMeasures() async throws {
        struct Times: EventMonitor {
            let report: @Sendable (String) -> Void

            func observe(_ event: RequestEvent, of request: ObservedRequest) {
                if case .ended = event.kind {
                    report("\(request.tags["screen"] ?? "?"): \(request) took \(event.time) s")
                }
            }
        }
        let api = client { $0.eventMonitors = [Times { line in print(line) }] }
        server.on("/x", .status(204))
        await api.get("/x") { $0.tag("screen", "home") }.ended()
        #expect(printed.elements.first?.hasPrefix("home: GET /x took ") == true)
    }

    @Test
    func anHourPassesAtOnce() async throws {
        server.on("/report", .silence)
        let clock = VirtualClock()
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.clock) = (server, clock) }
        let request = api.get("/report") { $0.timeout(3600) }
        try await clock.advance(to: .timeout)
        if case .failure(.timedOut) = await request.ended() { print("timed out") }
        try await end(["timed out"])
    }
}
