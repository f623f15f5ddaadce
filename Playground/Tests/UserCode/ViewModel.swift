import SimpleNetworking

/// Fills itself from a server, on the main actor.
@MainActor
final class ViewModel {
    private(set) var items: [String] = []
    let client: SimpleNetworking

    init(client: SimpleNetworking) { self.client = client }

    @discardableResult
    func load() -> SimpleRequest {
        client.get("/x") {
            $0.on(success: { response in
                self.items = response.json?["items"] as? [String] ?? []
            })
        }
    }
}
