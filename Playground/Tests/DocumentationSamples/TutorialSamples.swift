import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

struct Product: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct Problem: Codable, Sendable, Error {
    var message: String
}

struct IssuedToken: Decodable, Sendable {
    var token: Secret
}

enum Products {
    static let all = Request<[Product]>.get("/products")
    static func one(_ id: Int) -> Request<Product> { .get("/products/\(id)") }
    static func add(_ name: String) -> Request<Product> { .post("/products", body: ["name": name]) }
}

final class ShopAPI: SimpleNetworking, @unchecked Sendable {
    init(token: Secret, configure: (inout Configuration) -> Void = { _ in }) {
        super.init(host: "shop.example.com") {
            $0.timeout = 90
            $0.retryPolicy = RetryPolicy(attempts: 3)
            configure(&$0)
        }
        authenticate(
            with: BearerAuthenticator(token: token) { [weak self] refused in
                guard let self else { throw CancellationError() }
                return try await self.send(Request<IssuedToken>.post("/token", body: ["token": refused])).value.token
            }
        )
    }

    override func validate(_ response: SimpleResponse) throws {
        if response.httpStatus == 422 { throw try response.decode(Problem.self, using: configuration.decoder) }
        try super.validate(response)
    }
}

func restock(_ api: ShopAPI) async throws {
    let products = try await api.send(Products.all).value
    if products.contains(where: { $0.name == "Tea" }) { return }
    api.execute(Products.add("Tea")) { request in
        request
            .on(success: Product.self) { product in print("added \(product.name)") }
            .on(error: { error in
                if case .failed(let problem as Problem, _, _) = error { print(problem.message) }
            })
    }
}

@Test
func anExpiredTokenIsRefreshedOnce() async throws {
    let server = StubTransport()
        .on(.get, "/products", .status(401), times: 1)
        .on(.post, "/token", .json(#"{"token": "new"}"#))
        .on(.get, "/products", .json(#"[{"id": 1, "name": "Tea"}]"#))
    let api = ShopAPI(token: Secret("old")) { $0.transport = server }

    let products = try await api.send(Products.all).value

    #expect(products == [Product(id: 1, name: "Tea")])
    #expect(server.log == ["GET /products", "POST /token", "GET /products"])
}

/// Runs the samples of the article “A client for an API in 15 minutes”.
@Suite(.timeLimit(.minutes(5)))
struct TutorialSamples {
    @Test
    func theClientIsUsed() async throws {
        let server = StubTransport().on(.get, "/products", .json("[]"))
            .on(.post, "/products", .json(#"{"id": 1, "name": "Tea"}"#))
        let api = ShopAPI(token: Secret("t")) { $0.transport = server }

        try await restock(api)
        try await eventually { server.log == ["GET /products", "POST /products"] }
    }

    @Test
    func aProblemHasTheServersMessage() async throws {
        let server = StubTransport().on(.post, "/products", .json(#"{"message": "too long"}"#, status: 422))
        let api = ShopAPI(token: Secret("t")) { $0.transport = server }

        let error = await #expect(throws: SimpleNetworkingError.self) { try await api.send(Products.add("Tea")) }

        guard case .failed(let problem as Problem, _, _)? = error else {
            Issue.record("The request ended with \(error as Any).")
            return
        }
        #expect(problem.message == "too long")
    }
}
