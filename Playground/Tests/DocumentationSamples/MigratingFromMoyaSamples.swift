import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

enum Shop {
    static func product(_ id: Int) -> Request<User> { .get("/products/\(id)") }
    static func add(name: String) -> Request<Void> { .post("/products", body: ["name": name]) }
}

/// Runs the samples of the article “Migrating from Moya”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromMoyaSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aRequestValueIsSent() async throws {
        server.on(.get, "/products/7", .json(#"{"id": 7, "name": "Tea"}"#))
        let api = client()
        let product = try await api.send(Shop.product(7)).value
        #expect(product.name == "Tea")
    }
}
