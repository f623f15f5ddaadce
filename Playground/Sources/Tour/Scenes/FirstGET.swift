import SimpleNetworking

/// Requests a greeting, and gets it.
struct FirstGET: Scene {
    let title = "A first GET"

    let code = """
        client.get("/hello") {
            $0.on(success: { response in
                show("success: \\(response.text ?? "")")
            })
        }
        show("get(…) has returned, nothing has run yet")
        """

    let expected = [
        "get(…) has returned, nothing has run yet",
        #"success: {"greeting":"Hello, world!"}"#,
    ]

    // As in an app: a handler of the main actor can't run between two of its lines.
    @MainActor
    func play(on stage: Stage) async {
        let show = stage.show
        let client = stage.client()
        let request =
            client.get("/hello") {
                $0.on(success: { response in
                    show("success: \(response.text ?? "")")
                })
            }
        show("get(…) has returned, nothing has run yet")
        await stage.end(of: request)
    }
}
