import SimpleNetworking

/// Requests a value from one endpoint, with handlers and with `await`.
struct TwoFaces: Scene {
    private struct User: Decodable {
        let name: String
    }

    private enum Paths {
        static func user(_ id: Int) -> Request<User> { .get("/users/\(id)") }
    }

    let title = "One endpoint, two faces"

    let code = """
        private enum Paths {
            static func user(_ id: Int) -> Request<User> { .get("/users/\\(id)") }
        }
        …
        let request = client.execute(Paths.user(1)) {
            $0.on(success: User.self) { user in show("handlers: \\(user.name)") }
                .on(error: { error in show("handlers: \\(error)") })
        }
        …
        do {
            let user = try await client.send(Paths.user(1)).value
            show("await:    \\(user.name)")
        } catch {
            show("await:    \\(error)")
        }
        """

    let expected = ["handlers: Ada Lovelace", "await:    Ada Lovelace"]

    func play(on stage: Stage) async throws {
        let show = stage.show
        let client = stage.client()
        let request = client.execute(Paths.user(1)) {
            $0.on(success: User.self) { user in show("handlers: \(user.name)") }
                .on(error: { error in show("handlers: \(error)") })
        }
        await stage.end(of: request)
        do {
            let user = try await client.send(Paths.user(1)).value
            show("await:    \(user.name)")
        } catch {
            show("await:    \(error)")
        }
    }
}
