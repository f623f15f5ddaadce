import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

actor ShopSession: Authenticator {
    struct Credential: Codable, Equatable, Sendable {
        var token: Secret
        var expires: Date
    }

    private let accounts: SimpleNetworking
    private var current: Task<Credential, any Error>?

    init(accounts: SimpleNetworking) { self.accounts = accounts }

    func credential() async throws -> Credential? {
        if let current { return try await current.value }
        let signIn = Task { try await accounts.send(Request<Credential>.post("/session")).value }
        current = signIn
        do { return try await signIn.value } catch {
            current = nil
            throw error
        }
    }

    func refresh(_ credential: Credential) async throws -> Credential {
        let new = try await accounts.send(Request<Credential>.post("/refresh", body: credential)).value
        current = Task { new }
        return new
    }

    nonisolated func isExpired(_ credential: Credential) -> Bool { credential.expires < Date() }

    nonisolated func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["X-Session"] = credential.token.reveal()
    }
}

class LoginAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.reauthenticate(request) { try await self.showLogin() }
                return false
            }
        }
        super.execute(request: request)
    }

    @MainActor
    func showLogin() async throws {
        headers["Authorization"] = try await LoginScreen().token()
    }
}

@MainActor
private struct LoginScreen {
    static let shown = Recorder<String>()

    func token() async throws -> String {
        Self.shown.add("shown")
        return "new"
    }
}

extension LoginAPI {
    func refresh(for request: SimpleRequest) {
        reauthenticate(request) { done in
            get("/auth") {
                $0.header("Authorization", nil)
                    .on(error: { error in done(error) })
                    .on(success: { response in
                        self.headers["Authorization"] = response.text
                        done()
                    })
            }
        }
    }
}

/// Signs in with a request of the same client.
class MyAPI: LoginAPI, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.refresh(for: request)
                return false
            }
        }
        super.execute(request: request)
    }
}

class SessionAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if headers["Authorization"] != nil { return super.execute(request: request) }
        reauthenticate(request) { try await self.signIn() }
    }
}

extension SessionAPI {
    fileprivate func signIn() async throws {
        headers["Authorization"] = try await send(Request<String>.get("/auth")).value
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

    @Test
    func requestsMadeAtOnceShareOneSignIn() async throws {
        let gate = Gate()
        let server = StubTransport()
            .on(.post, "/session", .json(#"{"token": "t", "expires": "2999-01-01T00:00:00Z"}"#).after(gate))
            .on("/x") { $0.headers["X-Session"] == "t" ? .json("{}") : .status(401) }
        let accounts = SimpleNetworking(host: "accounts.example.com") { $0.transport = server }
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.authenticator) = (server, ShopSession(accounts: accounts))
        }
        let requests = (1...3).map { _ in api.get("/x") }
        await gate.arrivals(1)
        gate.open()
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.log == ["POST /session", "GET /x", "GET /x", "GET /x"])
    }

    @Test
    func aFailedSignInEndsItsRequestsAndIsRepeatedForTheNext() async throws {
        let server = StubTransport()
            .on(.post, "/session", .status(503), times: 1)
            .on(.post, "/session", .json(#"{"token": "t", "expires": "2999-01-01T00:00:00Z"}"#))
            .on("/x", .json("{}"))
        let accounts = SimpleNetworking(host: "accounts.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, .silent)
            $0.authenticator = ShopSession(accounts: accounts)
        }
        guard case .authentication(let failure)? = await api.get("/x").ended().error else {
            throw Unexpected("another end")
        }
        #expect(failure.kind == .refreshFailed)
        #expect(await api.get("/x").ended().value != nil)
        #expect(server.log == ["POST /session", "POST /session", "GET /x"])
    }

    @Test(arguments: ["2001-01-01T00:00:00Z", "2999-01-01T00:00:00Z"])
    func anExpiredOrRejectedCredentialIsRefreshed(expiry: String) async throws {
        let server = StubTransport()
            .on(.post, "/session", .json(#"{"token": "old", "expires": "\#(expiry)"}"#))
            .on(.post, "/refresh", .json(#"{"token": "new", "expires": "2999-01-01T00:00:00Z"}"#))
            .on("/x") { $0.headers["X-Session"] == "new" ? .json("{}") : .status(401) }
        let accounts = SimpleNetworking(host: "accounts.example.com") { $0.transport = server }
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.authenticator) = (server, ShopSession(accounts: accounts))
        }
        #expect(await api.get("/x").ended().value != nil)
        let refused = expiry.hasPrefix("2999") ? ["GET /x"] : []
        #expect(server.log == ["POST /session"] + refused + ["POST /refresh", "GET /x"])
    }

    /// An authenticator that doesn't implement `refresh(_:)`.
    private struct Key: Authenticator {
        func credential() async throws -> Secret? { Secret("k") }
        func sign(_ request: inout TransportRequest, with credential: Secret) {
            request.headers["X-Key"] = credential.reveal()
        }
    }

    /// What “Hooks and middleware” says about 401 handlers.
    @Test(
        arguments: [
            (BearerAuthenticator(), "status 401"), (BearerAuthenticator(token: Secret("t")), "status 401"),
            (BearerAuthenticator(token: Secret("t")) { _ in Secret("u") }, "status 401"),
            (BearerAuthenticator(token: Secret("t")) { _ in throw RefreshFailure.notRefreshable }, "signInNeeded"),
            (Key(), "signInNeeded"),
        ] as [(any Authenticator, String)]
    )
    func a401HandlerRunsUnlessARefreshFails(authenticator: any Authenticator, end: String) async throws {
        let server = StubTransport().on("*", .status(401))
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger, $0.authenticator) = (server, .silent, authenticator)
        }
        let ends = Recorder<String>()
        await api.get("/x") { request in
            request
                .on(httpStatus: 401) { _, _ in
                    ends.add("status 401")
                    return false
                }
                .on(error: { error in
                    if case .authentication(let failure) = error { ends.add("\(failure.kind)") }
                })
        }.ended()
        #expect(ends.elements == [end])
    }

    @Test
    func aLoginScreenIsShownOnceForAllRequests() async throws {
        let server = StubTransport().on("/x") { $0.headers["Authorization"] == "new" ? .json("{}") : .status(401) }
        let api = LoginAPI(host: "api.example.com") { $0.transport = server }
        let requests = (1...3).map { _ in api.get("/x") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(await LoginScreen.shown.elements.count == 1)
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
    func aSubclassSignsInBeforeItsFirstRequest() async throws {
        let server = StubTransport()
            .on("/auth", .text("new"))
            .on("/x") { $0.headers["Authorization"] == "new" ? .json("{}") : .status(401) }
        let api = SessionAPI(host: "api.example.com") { $0.transport = server }
        let requests = (1...3).map { _ in api.get("/x") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.log == ["GET /auth", "GET /x", "GET /x", "GET /x"])
    }

    @Test
    func thePromisedDefaultsHold() {
        let configuration = SimpleNetworking.Configuration()
        #expect(configuration.refreshTimeout == 30)
        #expect(configuration.waitsForRefresh)
    }
}
