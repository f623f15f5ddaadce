import Foundation
import SimpleNetworking

private func token() async throws -> String { "t" }

class GitHub: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["Authorization"] = "Bearer \(try await token())"
    }
}

/// Compiles the samples of the article “Migrating from Get”.
enum MigratingFromGetSamples {
    static func compiles(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        let user: User = try await api.send(Request(path: "/user")).value
        try await api.send(Request(path: "/user/emails", method: .post, body: ["a@example.com"]))

        api.execute(Request<User>.get("/user")) { request in
            request
                .retry(RetryPolicy(attempts: 3))
                .on(httpStatus: 404) { _, _ in
                    print("no such user")
                    return false
                }
                .on(success: User.self) { user in print(user.name) }
        }

        _ = user
    }
}
