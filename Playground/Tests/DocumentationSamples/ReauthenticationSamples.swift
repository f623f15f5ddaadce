import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

// As the article prints it.
class MyAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.reauthenticate(request) { done in
                    self.get("/auth") {
                        $0.header("Authorization", nil)
                            .on(httpStatus: 401) { _, _ in true }
                            .on(error: { error in done(error) })
                            .on(success: { response in
                                self.headers["Authorization"] = response.text
                                done()
                            })
                    }
                }
                return false
            }
        }
        super.execute(request: request)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ReauthenticationSamples {
    private struct User: Codable, Sendable { let name: String }

    @Test
    func anAuthenticatorRefreshesItsToken() async throws {
        typealias Client = SimpleNetworking
        let server = StubTransport()
            .on("/token", .json(#"{"token": "new"}"#))
            .on("/user") { $0.headers["Authorization"] == "Bearer new" ? .json(#"{"name": "Ada"}"#) : .status(401) }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void = { _ in }) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = server
            }
        }

        struct IssuedToken: Decodable, Sendable {
            let token: Secret
        }
        let accounts = SimpleNetworking(host: "accounts.example.com")
        let bearer = BearerAuthenticator(token: Secret("old")) { refused in
            try await accounts.send(Request<IssuedToken>.post("/token", body: ["token": refused])).value.token
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        let user = try await api.send(Request<User>.get("/user")).value

        #expect(user.name == "Ada")
        #expect(server.log == ["GET /user", "POST /token", "GET /user"])
    }

    /// If it signed in with the rejected field, it would refresh forever.
    @Test
    func aSubclassWhoseSignInIsRejectedEndsWithThatResponse() async throws {
        let server = StubTransport().on("*", .status(401))
        let api = MyAPI(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        api.headers["Authorization"] = "old"
        guard case .authentication(let failure)? = await api.get("/x").ended().error else {
            throw Unexpected("another end")
        }
        #expect((failure.underlying as? SimpleNetworkingError)?.httpStatus == 401)
        #expect(server.log == ["GET /x", "GET /auth"])
        #expect(server.requests.map { $0.headers["Authorization"] } == ["old", nil])
    }

    @Test(arguments: [nil, NetworkFailure(.cannotConnect)] as [NetworkFailure?])
    func aHandlerWithoutARefreshEndsItsRequestIfItsSignInFails(failure: NetworkFailure?) async throws {
        let printed = Recorder<String>()
        @Sendable func print(_ item: Any) { printed.add("\(item)") }
        @Sendable func signIn(_ done: @escaping @Sendable ((any Error)?) -> Void) {
            DispatchQueue.global().async { done(failure) }
        }
        let server = StubTransport().on("*", .replies(.status(401), .json(#"{"name": "Ada"}"#)))
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        api.get("/users/7") { request in
            request
                .on(httpStatus: 401) { request, _ in
                    signIn { error in
                        if let error { request.fail(error) } else { request.retry() }
                    }
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
                .on(error: { error in print(error) })
        }
        try await eventually { !printed.elements.isEmpty }
        #expect((printed.elements == ["Ada"]) == (failure == nil))
    }

    @Test
    func aSubclassRefreshesItsHeaderField() async throws {
        let server = StubTransport()
            .on("/auth", .text("new"))
            .on("/x") { $0.headers["Authorization"] == "new" ? .json("{}") : .status(401) }
        let api = MyAPI(host: "api.example.com") { $0.transport = server }
        #expect(await api.get("/x").ended().value != nil)
        #expect(server.log == ["GET /x", "GET /auth", "GET /x"])
    }

    @Test
    func thePromisedDefaultsHold() {
        let configuration = SimpleNetworking.Configuration()
        #expect(configuration.refreshTimeout == 30)
        #expect(configuration.waitsForRefresh)
    }
}
