import SimpleNetworking

/// Counts responses, as an actor.
actor Counter {
    var count = 0
    var errors: [String] = []
    private var refused: [SimpleRequest] = []
    let client: SimpleNetworking

    init(client: SimpleNetworking) { self.client = client }

    @discardableResult
    func load() -> SimpleRequest {
        client.get("/x") {
            $0.on(success: { response in
                self.assertIsolated()
                self.count += 1
            })
        }
    }

    @discardableResult
    func loadRefused() -> SimpleRequest {
        client.get("/x") {
            $0.on(httpStatus: 401) { request, _ in
                self.count += 1
                self.refused.append(request)
                return false
            }
            .on(error: { error in
                self.assertIsolated()
                if case .abandoned = error { self.errors.append("abandoned") } else { self.errors.append("\(error)") }
            })
        }
    }

    @discardableResult
    func loadWeakly() -> SimpleRequest {
        client.get("/x") { $0.on(success: { [weak self] _ in Task { await self?.increment() } }) }
    }

    /// Releases the requests that its handlers kept.
    func releaseRefused() { refused = [] }

    func increment() { count += 1 }
}
