import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import Testing

enum Shop {
    static func product(_ id: Int) -> Request<User> { .get("/products/\(id)") }
    static func add(name: String) -> Request<Void> { .post("/products", body: ["name": name]) }
}

struct Stopwatch: Middleware {
    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let start = Date()
        let response = try await next(request)
        print("\(request.head) took \(Date().timeIntervalSince(start)) s")
        return response
    }
}

/// Runs the samples of the article “Migrating from Moya”.
@Suite(.timeLimit(.minutes(5)))
struct MigratingFromMoyaSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    func compiles(_ api: SimpleNetworking, _ file: URL, _ data: Data) async throws {
        api.execute(Shop.product(7)) { request in
            request
                .on(success: User.self) { product in print(product.name) }
                .on(error: { error in print(error) })
        }
        let product = try await api.send(Shop.product(7)).value

        api.post("/photos") {
            $0.body(multipart: Multipart().field("title", "Sunset").file("photo", at: file, type: "image/jpeg"))
        }

        _ = product
    }

    @Test
    func aStubResponds() async throws {
        let server = StubTransport().on(.get, "/products/7", .json(#"{"id": 7, "name": "Tea"}"#))
        let shop = SimpleNetworking(host: "shop.example.com") { $0.transport = server }
        #expect(try await shop.send(Shop.product(7)).value.name == "Tea")
    }
}
