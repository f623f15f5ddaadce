import SimpleNetworking

/// A nonisolated class, as in code from before Swift's actors.
nonisolated final class Form {
    var items: [String] = []

    /// Fills the form, on the caller's actor.
    func fill(from client: SimpleNetworking) -> SimpleRequest {
        client.get("/x") {
            $0.on(success: { response in self.items = response.json?["items"] as? [String] ?? [] })
        }
    }
}

/// Loads with the caller's isolation.
nonisolated func whenLoaded(
    from client: SimpleNetworking,
    isolation actor: (any Actor)? = #isolation,
    _ handler: @escaping (SimpleResponse) -> Void
) -> SimpleRequest {
    client.get("/x") { $0.on(isolation: actor, success: handler) }
}
