import DemoServer
import SimpleNetworking

/// Makes fifty requests with a token that has expired; it is refreshed once.
struct ExpiredToken: Scene {
    let title = "50 requests meet an expired token: one refresh serves them all"

    let code = """
        let bearer = BearerAuthenticator(token: Secret("expired")) { _ in
            Secret(try await office.send(Request<Grant>.get("/auth")).value.token)
        }
        …
        let requests = (1...50).map { _ in client.get("/private") }
        """

    let expected = [
        "50 requests, 50 successes",
        "the server gave out 1 token",
    ]

    private struct Grant: Decodable {
        let token: String
    }

    func play(on stage: Stage) async {
        let show = stage.show
        let office = stage.client()
        let bearer = BearerAuthenticator(token: Secret("expired")) { _ in
            Secret(try await office.send(Request<Grant>.get("/auth")).value.token)
        }
        let client = stage.client { SimpleNetworking(baseURL: $0) { $0.authenticator = bearer } }
        let before = await stage.server.log.lines.count

        let requests = (1...50).map { _ in client.get("/private") }

        for request in requests { await stage.end(of: request) }
        let successes = requests.filter { if case .success? = $0.trace.end { true } else { false } }
        show("\(requests.count) requests, \(successes.count) successes")
        let seen = await stage.server.log.lines.dropFirst(before)
        show("the server gave out \(seen.filter { $0 == "GET /auth" }.count) token")
        if let first = requests.first { stage.showTrace(of: first) }
    }
}
