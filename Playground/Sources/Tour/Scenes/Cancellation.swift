import DemoServer
import SimpleNetworking

/// Cancels a request while the server works on it.
struct Cancellation: Scene {
    let title = "A request is cancelled"

    let code = """
        let request = client.get("/slow?seconds=30") {
            $0.on(success: { _ in
                show("never said")
            })
            .on(error: { error in
                show("error: \\(error.localizedDescription)")
            })
        }
        await server.log.wait(for: "GET /slow?seconds=30")
        show("the server has got it and takes its time: cancel()")
        request.cancel()
        """

    let expected = [
        "the server has got it and takes its time: cancel()",
        "error: GET http://127.0.0.1:…/slow?seconds=30 was cancelled.",
    ]

    func play(on stage: Stage) async {
        let show = stage.show
        let server = stage.server
        let client = stage.client()
        let request = client.get("/slow?seconds=30") {
            $0.on(success: { _ in
                show("never said")
            })
            .on(error: { error in
                show("error: \(error.localizedDescription)")
            })
        }
        await server.log.wait(for: "GET /slow?seconds=30")
        show("the server has got it and takes its time: cancel()")
        request.cancel()
        await stage.end(of: request)
    }
}
