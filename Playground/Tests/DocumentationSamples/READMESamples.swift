import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

private typealias Client = SimpleNetworking

// As the README prints it.
// swift-format-ignore
class StoreAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if request.httpStatusHandlers[401] == nil {
            request.on(httpStatus: 401) { request, _ in
                self.reauthenticate(request, refreshing: self.signIn)
                return false
            }
        }
        super.execute(request: request)
    }
}

extension StoreAPI {
    @Sendable fileprivate func signIn() async throws {
        let response = try await send(Client.post("/auth", body: ["user": "ada"]))
        headers["X-Authorization"] = response.json?["token"] as? String
    }
}

/// Runs the samples of README.
@Suite(.timeLimit(.minutes(5)))
struct READMESamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test(arguments: [
        ([StubResponse.json(#"{"id": 7, "name": "Ada"}"#)], "Ada"),
        ([.status(401), .json(#"{"id": 7, "name": "Ada"}"#)], "Ada"),
        (
            [.status(500)],
            "GET https://api.example.com/users/7 failed on the server with status 500. Trying again later may help."
        ),
    ])
    func theFirstSamplePrints(responses: [StubResponse], line: String) async throws {
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String) -> Client { client() }
        @Sendable func signIn() async throws {}
        for response in responses { server.on("/users/7", response, times: 1) }
        let api = SimpleNetworking(host: "api.example.com")

        api.get("/users/7") { request in
            request
                .on(httpStatus: 401) { request, _ in
                    api.reauthenticate(request, refreshing: signIn)
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }
        try await eventually { !printed.elements.isEmpty }
        #expect(printed.elements == [line])
    }

    @Test(arguments: [nil, Surprise()])
    func theHandlerThatKeepsItsRequestEndsItEitherWay(failure: Surprise?) async throws {
        let api = client()
        @Sendable func signIn(_ done: @escaping @Sendable (Surprise?) -> Void) {
            DispatchQueue.global().async { done(failure) }
        }
        server.on("/users/7", .replies(.status(401), .status(204)), times: .atLeast(1))
        let request =
            // As the README prints it.
            // swift-format-ignore
            api.get("/users/7") { request in
                request.on(httpStatus: 401) { request, _ in
                    signIn { error in
                        if let error { request.fail(error) } else { request.retry() }
                    }
                    return false
                }
            }
        switch await request.ended() {
        case .success: #expect(failure == nil)
        case .failure(.failed(let error, _, _)): #expect(error is Surprise && failure != nil)
        case .failure(let error): throw error
        }
    }

    struct Surprise: Error {}

    @Test(arguments: [(StubResponse.json(#"{"id": 7, "name": "Ada"}"#), "Ada"), (.status(404), "no such user")])
    func theSameRequestAwaitedPrintsTheSame(response: StubResponse, line: String) async throws {
        let api = client()
        server.on("/users/7", response)
        do {
            let user = try await api.send(Request<User>.get("/users/7")).value
            print(user.name)
        } catch let error as SimpleNetworkingError where error.httpStatus == 404 {
            print("no such user")
        }
        #expect(printed.elements == [line])
    }

    @Test
    func aTokenIsRefreshedOnceForAll() async throws {
        struct Tokens: Decodable, Sendable {
            let access: Secret
            let refresh: Secret
        }
        server.on("/token", .json(#"{"access": "new", "refresh": "next"}"#))
            .on("/user", where: [.header("Authorization", "Bearer new")], .json(#"{"id": 7, "name": "Ada"}"#))
            .on("/user", .status(401))
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            client(configure)
        }
        let accounts = client()
        let saved = Tokens(access: Secret("old"), refresh: Secret("first"))
        let bearer = BearerAuthenticator(token: saved.access) { _ in
            try await accounts.send(Request<Tokens>.post("/token", body: ["refresh_token": saved.refresh])).value.access
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        let requests = (0..<20).map { _ in api.get("/user") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests(to: "/token").count == 1)
    }

    @Test
    func theOrderOfHandlersIsChecked() async throws {
        let server = StubTransport().on("/user", .replies(.status(503), .json(#"{"name": "Ada"}"#)))
        let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
        let request = api.get("/user") {
            $0.on(httpStatus: 503) { request, _ in
                request.retry()
                return false
            }
            .on(success: { response in print(response.text ?? "") })
        }
        try await server.expectEnd(of: request)
        try expectOrder(of: request, [.status(503), .retry, .success, .completion])
    }

    @Test
    func theTraceOfARefreshedRequest() async throws {
        let clock = VirtualClock()
        server.on("/auth", .json(#"{"token": "new"}"#).after(0.031))
            .on("/orders", .replies(.status(401).after(0.042), .json("[]").after(0.038)))
        let api = StoreAPI(host: "api.example.com") {
            $0.transport = server
            $0.clock = clock
            $0.logger = .silent
        }
        let request = api.get("/orders") { $0.on(success: { _ in }) }
        for _ in 0..<3 { try await clock.advance(to: .response) }
        try await eventually { request.trace.handlers.count == 2 }
        let here = /DocumentationSamples\/READMESamples.swift:\d+/
        let trace = "\(request.trace)".replacing(here, with: "Store/StoreAPI.swift")
        #expect(try Article.file("README.md").contains("```text\n\(trace)\n```"))
    }

    func anAPIsLimits() -> SimpleNetworking {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.traffic.inFlight = 6
            $0.traffic.respectsRateLimits = true
        }
        return api
    }

    func aSearch(_ text: String, _ api: SimpleNetworking) {
        api.get("/users", query: ["q": text]) { $0.replacing("search").on(success: [User].self) { print($0) } }
    }
}
