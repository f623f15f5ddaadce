import Foundation
import SimpleNetworking
import SimpleNetworkingOriginal
import SimpleNetworkingTesting
import Testing

// Another file's subclass has a `shared` of its own.
// swift-format-ignore
fileprivate extension SimpleNetworking {
    static let shared = SimpleNetworking(host: "api.example.com")
}

extension SimpleNetworking {
    /// What the original's README calls.
    fileprivate func authenticate(_ done: @escaping () -> Void) {
        headers["X-Authorization"] = "new"
        done()
    }

    fileprivate func signIn(_ done: @escaping ((any Error)?) -> Void) { done(nil) }
}

class CarefulAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if !request.handles(httpStatus: 401) {
            request.on(httpStatus: 401) { request, _ in
                self.signIn { error in
                    if let error { request.fail(error) } else { request.retry() }
                }
                return false
            }
        }
        super.execute(request: request)
    }
}

/// Runs the samples of the article “Migrating from the original SimpleNetworking”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromTheOriginalSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test(arguments: [
        (StubResponse.json(#"{"id": 7, "name": "Ada"}"#), "Ada"), (.status(404), "refused with 404"),
        (.status(503), "failed with 503"),
    ])
    func handlersStayAsTheyAre(response: StubResponse, line: String) async throws {
        let api = client()
        server.on("/user", response)
        api.get("/user", query: ["id": "7"]) { request in
            request
                .on(success: { response in
                    let user = try? response.decode(User.self)
                    print(user?.name ?? "no name")
                })
                .on(error: { error in
                    switch error {
                    case .clientError(let response): print("refused with \(response.httpStatus)")
                    case .serverError(let response): print("failed with \(response.httpStatus)")
                    default: print(error)
                    }
                })
        }
        let printed = printed
        try await eventually { printed.elements == [line] }
    }

    @Test
    func aCallOfTheOriginalSignsInAndRetries() async throws {
        server.on("/user", where: [.header("X-Authorization", "new")], .json(#"{"name": "Ada"}"#))
            .on("/user", .status(401))
        let api = client()

        // swift-format-ignore
        api.get("/user") {(request) in
            return request
                .on(httpStatus: 401, {(request, _) in
                    api.authenticate { request.retry() }
                    return false
                })
                .on(error: {(error) in print(error) })
                .on(success: {(response) in print(response.json!) })
        }

        let printed = printed
        try await eventually { printed.elements == [#"["name": "Ada"]"#] }
        #expect(SimpleNetworking.shared.baseURL == api.baseURL)
    }

    @Test
    func aRequestsOwnHandlerIsTheOnlyOne() async throws {
        server.on("/x", .status(401))
        let api = CarefulAPI(host: "api.example.com") {
            $0.transport = server
            $0.logger = .silent
        }
        await api.get("/x") { $0.on(httpStatus: 401) { _, _ in false } }.ended()
        #expect(server.requests.count == 1)
        #expect(await api.get("/x").ended().error?.httpStatus == 401)
        #expect(server.requests.count == 1 + 1 + api.maxRetries)
    }
}
