import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

private struct Spinner {
    let log: Recorder<String>
    func show() { log.add("shown") }
    func hide() { log.add("hidden") }
}

private typealias Client = SimpleNetworking

private func audit(_ line: String, _ outcome: Result<SimpleResponse, SimpleNetworkingError>) {
    audited.add("\(line) \(outcome.value?.httpStatus ?? 0)")
}

private let audited = Recorder<String>()

extension Spinner {
    final class Owner: Sendable {}
}
class AuditedAPI: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        if request.attempt == 0 {
            request.on(completion: { [method = request.method] outcome in audit("\(method)", outcome) })
        }
        super.execute(request: request)
    }
}

/// Runs the samples of the article “Recipes: handlers and tasks”.
@Suite(.timeLimit(.minutes(5)))
struct RecipesHandlersSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    private func end(_ lines: [String]) async throws {
        let printed = printed
        try await eventually { printed.elements.count >= lines.count }
        #expect(printed.elements == lines)
    }

    @Test
    func aSpinnerIsHiddenAtTheEnd() async throws {
        let (api, spinner) = (client(), Spinner(log: printed))
        server.on("/user", .status(500))
        api.get("/user") { request in
            request
                .on(start: { _ in spinner.show() })
                .on(completion: { _ in spinner.hide() })
        }
        try await end(["shown", "hidden"])
    }

    @Test
    func aRangeHasOneHandler() async throws {
        let api = client()
        server.on("/user", .status(503))
        api.get("/user") { request in
            request.on(httpStatus: 500...599) { _, response in
                print("The server has a problem (\(response.httpStatus)).")
                return false
            }
        }
        try await end(["The server has a problem (503)."])
    }

    @Test
    func aHandled404RaisesNoAlert() async throws {
        let api = client()
        server.on("/draft", .status(404))
        let request = SimpleNetworking.get("/draft")
        api.get("/draft") { request in
            request
                .on(httpStatus: 404) { _, _ in false }
                .on(success: { response in print(response.text ?? "") })
                .on(error: { error in print("alert: \(error)") })
        }
        await request.execute(on: api).ended()
        let server = server
        try await eventually { server.requests.count == 2 }
        #expect(printed.elements.isEmpty)
    }

    @Test
    func aDefaultStandsInForAnError() async throws {
        let api = client()
        server.on("/settings", .status(500))
        api.get("/settings") { request in
            request
                .on(httpStatus: .serverError) { request, response in
                    request.succeed(
                        with: SimpleResponse(request: response.request, data: Data(#"{"theme":"light"}"#.utf8))
                    )
                    return false
                }
                .on(success: { response in print(response.json?["theme"] ?? "") })
        }
        try await end(["light"])
    }

    @Test
    func aButtonTriesAgain() async throws {
        let api = client()
        server.on("/feed", .failure(NetworkFailure(.offline)), times: 1).on("/feed", .json("[]"))
        func offer(_ title: String, _ message: String, _ tap: @escaping () -> Void) { tap() }
        api.get("/feed") { request in
            request
                .on(noResponse: { request, error in
                    offer("Try again", error.localizedDescription) { request.retry() }
                    return false
                })
                .on(success: { _ in print("the feed") })
        }
        try await end(["the feed"])
    }

    @Test
    func aRequestIsCancelled() async throws {
        let api = client()
        server.on("/film.mp4", .silence)
        let request = api.get("/film.mp4") { $0.on(error: { error in print(error.isCancellation) }) }
        request.cancel()
        try await end(["true"])
    }

    @Test
    func aNewSearchCancelsTheOldOne() async throws {
        server.on("/search", .silence, times: 1).on("/search", .json("[]"))
        let api = client()
        @Sendable
        func find(_ text: String) async throws -> [User] {
            let request = SimpleNetworking.get("/search", query: ["q": text]).replacing("search")
            let users = try await api.send(request).decode([User].self)
            return users
        }
        let first = Task { try await find("a") }
        let server = server
        try await eventually { server.requests.count == 1 }
        #expect(try await find("ab") == [])
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test
    func aReleasedOwnerHearsNothing() async throws {
        let api = client()
        let gate = Gate()
        server.on("/user", .json("{}").after(gate))
        let request: SimpleRequest
        do {
            let screen = Spinner.Owner()
            request =
                api.get("/user") { $0.on(success: { response in print(response.httpStatus) }, owner: screen) }
        }
        gate.open()
        await request.ended()
        #expect(printed.elements.isEmpty)
    }

    @Test
    func twoRequestsAreInFlight() async throws {
        let api = client()
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#)).on("/notes", .json(#"["a"]"#))
        async let user = api.send(Request<User>.get("/user")).value
        async let notes = api.send(Request<[String]>.get("/notes")).value
        print("\(try await user.name) has \(try await notes.count) notes")
        try await end(["Ada has 1 notes"])
    }

    @Test
    func aGroupLimitsRequests() async throws {
        let (api, ids) = (client(), Array(1...9))
        server.on("*") { .json(#"{"id": \#($0.url.lastPathComponent), "name": "Ada"}"#) }
        let users = try await withThrowingTaskGroup(of: User.self) { group in
            var (rest, users) = (ids[...], [User]())
            func addNext() {
                guard let id = rest.popFirst() else { return }
                group.addTask { try await api.send(Request<User>.get("/users/\(id)")).value }
            }
            for _ in 1...4 { addNext() }
            while let user = try await group.next() {
                users.append(user)
                addNext()
            }
            return users
        }
        #expect(Set(users.map(\.id)) == Set(ids))
    }

    @Test
    func aHandlerMakesTheNextRequest() async throws {
        let api = client()
        server.on("/user", .json(#"{"id": 1, "name": "Ada"}"#)).on("/users/1/notes", .json("[]"))
        api.get("/user") { request in
            request.on(success: User.self) { user in
                api.get("/users/\(user.id)/notes") { $0.on(success: [String].self) { notes in print(notes.count) } }
            }
        }
        try await end(["0"])
    }

    @Test
    func aHandlerIsAddedOnce() async throws {
        let api = AuditedAPI(host: "api.example.com") { $0.transport = server }
        server.on("/x", .status(204))
        await api.get("/x").ended()
        #expect(audited.elements == ["GET 204"])
    }

    @Test
    func aTraceTellsTheStory() async throws {
        let api = client()
        server.on("/user", .status(404))
        let request = api.get("/user") { $0.on(httpStatus: 404) { _, _ in false } }
        await request.ended()
        print(request.trace)
        let text = try #require(printed.elements.first)
        #expect(text.contains("handler for status 404") && text.contains("RecipesHandlersSamples.swift"))
    }
}
