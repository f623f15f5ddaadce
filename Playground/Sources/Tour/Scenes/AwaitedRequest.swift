import SimpleNetworking

/// Awaits a response; the handlers run first.
struct AwaitedRequest: Scene {
    let title = "The same with async/await"

    let code = """
        let request = SimpleNetworking.get("/users/1").on(httpStatus: 200) { _, _ in
            show("a status handler, as before")
            return true
        }
        let response = try await client.send(request)
        show("then the caller goes on: \\(response.text ?? "")")
        """

    let expected = [
        "a status handler, as before",
        #"then the caller goes on: {"id":1,"name":"Ada Lovelace"}"#,
    ]

    func play(on stage: Stage) async throws {
        let show = stage.show
        let client = stage.client()
        let request = SimpleNetworking.get("/users/1").on(httpStatus: 200) { _, _ in
            show("a status handler, as before")
            return true
        }
        let response = try await client.send(request)
        show("then the caller goes on: \(response.text ?? "")")
    }
}
