// main actor-isolated instance method 'execute(request:)' has different actor isolation from nonisolated overridden declaration
// options: -default-isolation MainActor
import SimpleNetworking

class StoreAPI: SimpleNetworking, @unchecked Sendable {
    static let shared = StoreAPI(host: "api.example.com")

    override func execute(request: SimpleRequest) { super.execute(request: request) }
}
