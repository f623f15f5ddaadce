import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Security”.
@Suite(.timeLimit(.minutes(5)))
struct SecuritySamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func otherOriginsGetNoCredentials() async throws {
        let cdn = try #require(Origin("https://cdn.example.com"))
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(
            host: String,
            configure: (inout Client.Configuration) -> Void
        ) -> Client {
            client(configure)
        }
        server.on("/x", .status(204))

        let api = SimpleNetworking(host: "api.example.com") {
            $0.sharedHeaders = ["X-Request-ID"]
            $0.trustedOrigins = [cdn]
        }

        for host in ["api", "cdn", "www"] {
            let url = "https://\(host).example.com/x"
            try await api.send(.get(url, headers: ["Authorization": "a", "X-Key": "b", "X-Request-ID": "7"]))
        }
        #expect(server.requests.map { $0.headers["Authorization"] } == ["a", "a", nil])
        #expect(server.requests.map { $0.headers["X-Key"] } == ["b", "b", nil])
        #expect(server.requests.map { $0.headers["X-Request-ID"] } == ["7", "7", "7"])
    }

    private typealias Client = SimpleNetworking

    @Test
    func aSegmentStaysOne() async throws {
        let (api, name) = (client(), "../admin?x")

        let request = SimpleNetworking.get("/users/\(segment: name)/notes")

        let url = try await api.makeRequest(for: request).head.url
        #expect(url.absoluteString == "https://api.example.com/users/..%2Fadmin%3Fx/notes")
        server.on("*", .status(204))
        for path in ["//evil.example/x", "users:search"] { _ = try await api.send(SimpleNetworking.get(path)) }
        #expect(server.requests.allSatisfy { $0.url.host == "api.example.com" })
        await #expect(throws: SimpleNetworkingError.self) { try await api.send(SimpleNetworking.get("/../x")) }
        await #expect(throws: SimpleNetworkingError.self) {
            try await api.send(SimpleNetworking.get("/x").header("X-Name", "a\r\nX-Admin: 1"))
        }
        #expect(server.requests.count == 2)
    }
}
