import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

@MainActor
final class UserScreen {
    private(set) var title = ""
    let api: SimpleNetworking

    init(api: SimpleNetworking) { self.api = api }

    func load() -> SimpleRequest {
        api.get("/user") { request in
            request
                .on(success: User.self) { [weak self] user in self?.title = user.name }
                .on(error: { [weak self] error in self?.title = error.localizedDescription })
        }
    }
}

nonisolated func count(_ api: SimpleNetworking) async -> Int {
    var count = 0
    await api.get("/users") { $0.on(success: [User].self) { users in count = users.count } }.ended()
    return count
}

func loadUser(
    from api: SimpleNetworking,
    isolation actor: (any Actor)? = #isolation,
    _ done: @escaping (Result<User, SimpleNetworkingError>) -> Void
) {
    api.get("/user") { $0.on(isolation: actor, completion: User.self, done) }
}

/// Runs the samples of the article “Concurrency”.
@Suite(.timeLimit(.minutes(5)))
struct ConcurrencySamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    @MainActor
    func aScreensHandlersChangeIt() async throws {
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#))
        let screen = UserScreen(api: client())
        await screen.load().ended()
        #expect(screen.title == "Ada")
    }

    @Test
    func whatHandlersWroteIsReadAfterTheEnd() async {
        server.on("/users", .json(#"[{"id": 1, "name": "Ada"}]"#))
        #expect(await count(client()) == 1)
    }

    @Test
    @MainActor
    func aWrappersHandlerRunsOnItsCallersActor() async throws {
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#))
        var name: String?
        let gate = Gate()
        loadUser(from: client()) { result in
            MainActor.assertIsolated()
            name = (try? result.get())?.name
            gate.open()
        }
        try await gate.wait()
        #expect(name == "Ada")
    }
}
