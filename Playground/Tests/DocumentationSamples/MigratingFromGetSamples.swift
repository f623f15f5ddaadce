import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private func token() async throws -> String { "t" }

class GitHub: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["Authorization"] = "Bearer \(try await token())"
    }
}

/// Runs the samples of the article “Migrating from Get”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromGetSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func compiles0(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let user: User = try await api.send(Request(path: "/user")).value
        try await api.send(Request(path: "/user/emails", method: .post, body: ["a@example.com"]))
        _ = user
    }

    func compiles1(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.execute(Request<User>.get("/user")) { request in
            request
                .retry(RetryPolicy(attempts: 3))
                .on(httpStatus: 404) { _, _ in
                    print("no such user")
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
        }
    }
}
