import DemoServer
import SimpleNetworking

/// Sends a request to a closed port; the error says so.
struct DeadPort: Scene {
    let title = "The server's port is closed"

    let code = """
        client.get("/hello") {
            $0.on(error: { error, response in
                show(error.localizedDescription)
                show("there is \\(response == nil ? "no" : "a") response")
            })
        }
        """

    let expected = [
        "GET http://127.0.0.1:…/hello got no response: the connection was refused…",
        "there is no response",
    ]

    func play(on stage: Stage) async throws {
        let show = stage.show
        // A server that has stopped leaves a closed port.
        let gone = try await DemoServer.start()
        await gone.stop()
        let client = stage.client { _ in SimpleNetworking(baseURL: gone.baseURL) }
        let request =
            client.get("/hello") {
                $0.on(error: { error, response in
                    show(error.localizedDescription)
                    show("there is \(response == nil ? "no" : "a") response")
                })
            }
        await stage.end(of: request)
    }
}
