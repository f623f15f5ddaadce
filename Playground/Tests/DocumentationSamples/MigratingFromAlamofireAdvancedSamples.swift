import Foundation
import SimpleNetworking

#if canImport(Combine)
    import Combine
#endif

private func sign(_ url: URL) async throws -> String { url.path }

class SignedShopAPI: SimpleNetworking, @unchecked Sendable {
    override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
        attempt.headers["X-Signature"] = try await sign(attempt.url)
    }

    override func shouldRetry(
        _ request: SimpleRequest,
        error: SimpleNetworkingError,
        attempt: Int
    ) async throws -> Bool {
        error.httpStatus == 409 && attempt < 3
    }
}

/// Compiles the samples of the article “Migrating from Alamofire: advanced usage”, and what its tables name.
enum MigratingFromAlamofireAdvancedSamples {
    static func makesAClient() {
        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.timeout = 10
            configuration.retryPolicy = RetryPolicy(attempts: 4)
        }
        _ = api
    }

    #if canImport(Combine)
        static func publishes(_ api: SimpleNetworking) {
            let users = Deferred {
                Future<[User], SimpleNetworkingError> { promise in
                    api.get("/users") { $0.on(completion: [User].self) { result in promise(result) } }
                }
            }
            _ = users
        }
    #endif

    static func compiles(_ api: SimpleNetworking) async throws {
        SimpleNetworking.get("/user").execute(on: api)
        _ = SimpleNetworking(baseURL: api.baseURL, session: URLSession(configuration: .default))
        _ = SimpleNetworking(host: "api.example.com") { $0.redirectPolicy = RedirectPolicy(limit: 3) }
        _ = RetryPolicy(attempts: 4, backoff: .exponential(base: 0.5, factor: 2, jitters: false))
        _ = try await api.send(Request<User>.get("/user")).map(\.name).value
    }
}
