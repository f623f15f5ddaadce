import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private typealias Client = SimpleNetworking

// As the README prints it.
// swift-format-ignore
class StoreAPI: SimpleNetworking, @unchecked Sendable {
    static let shared = StoreAPI(host: "api.example.com")
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.reauthenticate(request) { try await self.signIn() }
                return false
            }
        }
        super.execute(request: request)
    }
}

extension StoreAPI {
    fileprivate func signIn() async throws {
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
        (StubResponse.json(#"{"id": 7, "name": "Ada"}"#), "Ada"), (.status(404), "no such user"),
        (
            .status(500),
            "GET https://api.example.com/users/7 failed on the server with status 500. Trying again later may help."
        ),
    ])
    func theFirstSamplePrints(response: StubResponse, line: String) async throws {
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String) -> Client { client() }
        server.on("/users/7", response)
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
        try await eventually { !printed.elements.isEmpty }
        #expect(printed.elements == [line])
    }

    @Test
    func theSameRequestIsAwaited() async throws {
        let api = client()
        server.on("/users/7", .json(#"{"id": 7, "name": "Ada"}"#))
        let user = try await api.send(Request<User>.get("/users/7")).value
        #expect(user.name == "Ada")
    }

    @Test
    func theSubclassSignsInOnceForAll() async throws {
        server.on("/auth", .json(#"{"token": "new"}"#))
            .on("/orders", where: [.header("X-Authorization", "new")], .json("[]"))
            .on("/orders", .status(401))
        let api = StoreAPI(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
        let requests = (0..<20).map { _ in api.get("/orders") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests(to: "/auth").count == 1)
    }

    @Test
    func aTokenIsRefreshedOnceForAll() async throws {
        server.on("/token", where: [.json(#"{"replaces": "old"}"#)], .json(#""new""#))
            .on("/user", where: [.header("Authorization", "Bearer new")], .json(#"{"id": 7, "name": "Ada"}"#))
            .on("/user", .status(401))
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(host: String, configure: (inout Client.Configuration) -> Void) -> Client {
            client(configure)
        }
        let accounts = client()
        let savedToken = Secret("old")
        let bearer = BearerAuthenticator(token: savedToken) { rejectedToken in
            try await accounts.send(Request<Secret>.post("/token", body: ["replaces": rejectedToken])).value
        }
        let api = SimpleNetworking(host: "api.example.com") { $0.authenticator = bearer }
        let requests = (0..<20).map { _ in api.get("/user") }
        for request in requests { #expect(await request.ended().value != nil) }
        #expect(server.requests(to: "/token").count == 1)
    }
}
