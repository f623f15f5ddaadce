import SimpleNetworking

/// Counts greetings; its handler changes the count as any other code of the actor does.
actor Counter {
    var count = 0

    let show: Voice

    init(show: Voice) { self.show = show }

    func load(from client: SimpleNetworking) -> SimpleRequest {
        client.get("/hello") {
            $0.on(success: { _ in
                self.count += 1
                self.show("on its actor, no hop, no lock: count is \(self.count)")
            })
        }
    }
}
