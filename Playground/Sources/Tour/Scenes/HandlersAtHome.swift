import SimpleNetworking

/// Shows that a handler runs where it was written: on an actor, on the main actor, or on the callback queue.
struct HandlersAtHome: Scene {
    let title = "A handler runs where it was written"

    let code = """
        actor Counter {
            var count = 0

            func load(from client: SimpleNetworking) -> SimpleRequest {
                client.get("/hello") {
                    $0.on(success: { _ in
                        self.count += 1
                        self.show("on its actor, no hop, no lock: count is \\(self.count)")
                    })
                }
            }
        }

        @MainActor
        func load() -> SimpleRequest {
            client.get("/hello") {
                $0.on(success: { _ in
                    show("on the main actor, fit for a view model")
                })
            }
        }

        client.get("/hello") {
            $0.on(success: { _ in
                show("outside any actor")
            })
        }
        """

    let expected = [
        "on its actor, no hop, no lock: count is 1",
        "on the main actor, fit for a view model",
        "outside any actor",
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        await stage.end(of: Counter(show: show).load(from: client))

        @MainActor
        func load() -> SimpleRequest {
            client.get("/hello") {
                $0.on(success: { _ in
                    show("on the main actor, fit for a view model")
                })
            }
        }
        await stage.end(of: load())

        let request =
            client.get("/hello") {
                $0.on(success: { _ in
                    show("outside any actor")
                })
            }
        await stage.end(of: request)
    }
}
