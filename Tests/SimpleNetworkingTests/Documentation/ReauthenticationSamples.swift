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

class TokenAPI: SimpleNetworking, @unchecked Sendable {
    init(token: Secret?, configure: (inout Configuration) -> Void = { _ in }) {
        super.init(host: "api.example.com", configure: configure)
        let bearer = BearerAuthenticator(token: token) { [weak self] refused in
            guard let self else { throw CancellationError() }
            let request = Request<String>.post("/token", body: ["refused": refused.reveal()])
            return Secret(try await self.send(request).value)
        }
        authenticate(with: bearer)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ReauthenticationSamples {
    private struct User: Codable, Sendable { let name: String }

    @Test
    func anAuthenticatorRefreshesItsToken() async throws {
        typealias Client = SimpleNetworking
        let server = StubTransport()
            .on("/token", .text("new"))
            .on("/user") { $0.headers["Authorization"] == "Bearer new" ? .json(#"{"name": "Ada"}"#) : .status(401) }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            Client(host: host) {
                configure(&$0)
                $0.transport = server
            }
        }
        let signIn = Client(host: "accounts.example.com") { $0.transport = server }

        let bearer = BearerAuthenticator(token: Secret("old")) { refused in
            let request = Request<String>.post("/token", body: ["refused": refused.reveal()])
            return Secret(try await signIn.send(request).value)
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        let user = try await api.send(Request<User>.get("/user")).value

        #expect(user.name == "Ada")
        #expect(server.log == ["GET /user", "POST /token", "GET /user"])
    }

    @Test
    func aSubclassRefreshesItsTokenByItself() async throws {
        let server = StubTransport()
            .on("/token", .text("new"))
            .on("/x") { $0.headers["Authorization"] == "Bearer new" ? .json("{}") : .status(401) }
        let api = TokenAPI(token: Secret("old")) { $0.transport = server }
        #expect(await api.get("/x").ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", nil, "Bearer new"])
    }

    /// If it signed in with the rejected field, it would refresh forever.
    @Test
    func aSubclassWhoseSignInIsRejectedEndsWithThatResponse() async throws {
        let server = StubTransport().on("*", .status(401))
        let api = MyAPI(host: "api.example.com") { $0.transport = server }
        api.headers["Authorization"] = "old"
        guard case .authentication(let failure)? = await api.get("/x").ended().error else {
            throw "another end".asError
        }
        #expect((failure.underlying as? SimpleNetworkingError)?.httpStatus == 401)
        #expect(server.log == ["GET /x", "GET /auth"])
        #expect(server.requests.map { $0.headers["Authorization"] } == ["old", nil])
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
