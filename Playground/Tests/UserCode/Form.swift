import SimpleNetworking

/// Belongs to no actor, as code does that was written before there were any.
nonisolated final class Form {
    var items: [String] = []

    /// Fills the form, on whichever actor this is called.
    func fill(from client: SimpleNetworking) -> SimpleRequest {
        client.get("/x") {
            $0.on(success: { response in self.items = response.json?["items"] as? [String] ?? [] })
        }
    }
}

/// Loads for whichever actor calls it.
nonisolated func whenLoaded(
    from client: SimpleNetworking,
    isolation actor: (any Actor)? = #isolation,
    _ handler: @escaping (SimpleResponse) -> Void
) -> SimpleRequest {
    client.get("/x") { $0.on(isolation: actor, success: handler) }
}
