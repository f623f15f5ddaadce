import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Runs the samples about testing, and checks what the documents say about them.
@Suite(.timeLimit(.minutes(5)))
struct TestingSamples {
    @Test
    func rulesMatchAndWhatWasAskedIsRead() async throws {
        let server = StubTransport()
            .on(.get, "/users/{id}", .replies(.status(401), .json(#"{"name": "Ada"}"#)))
            .on(.post, "/users", where: [.json(#"{"name": "Bob"}"#)], .status(201), times: 1)
            .on(.get, "/users", where: [.query("page", "2")], .json("[]"))
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }

        #expect(await api.get("/users/7").ended().error?.httpStatus == 401)
        #expect(await api.get("/users/7").ended().value?.json?["name"] as? String == "Ada")
        #expect(await api.get("/users?page=2").ended().value?.text == "[]")
        await api.post("/users") { $0.accept(.json).body(json: ["name": "Bob"]) }.ended()

        let request = try server.expectRequest(.post, "/users", where: [.header("Accept", "application/json")])
        #expect(request.json?["name"] as? String == "Bob")
        try server.verify()
    }

    @Test
    func theOverviewRetriesAndChecks() async throws {
        let server = StubTransport()
            .on(.get, "/user", .replies(.status(503), .json(#"{"name": "Ada"}"#)))
        let clock = VirtualClock()
        let api = SimpleNetworking(host: "api.example.com") { configuration in
            configuration.transport = server
            configuration.clock = clock
            configuration.retryPolicy = RetryPolicy(attempts: 2)
        }

        let request = api.get("/user")
        try await clock.advance(to: .retry)
        try await server.expectEnd(of: request)

        #expect(server.log == ["GET /user", "GET /user"])
        try expectOrder(of: request, [.retry, .completion])
    }

    @Test
    func responsesTakeTheirTimeOrBreak() async throws {
        let clock = VirtualClock()
        let server = StubTransport()
        let film = Data(count: 2_000)

        let gate = Gate()
        server
            .on("/log", .pieces("one", .gate(gate), "two", .delay(5), "three"))
            .on("/news", .events("first", .gate(gate), "second"))
            .on("/film", .data(film).cut(after: 1_000))
            .on("/slow", .text("slow").dripping(every: 2))
            .on("/short", .text("short").announcing(length: 10))
            .on("/down", .failure(.cannotConnect))
            .on("/never", .silence)

        gate.open()
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.clock, $0.logger) = (server, clock, .silent)
        }
        let log = api.get("/log")
        try await clock.advance(to: .response)
        #expect(await log.ended().value?.text == "onetwothree")
        let slow = api.get("/slow")
        for _ in 0..<4 { try await clock.advance(to: .response) }
        #expect(await slow.ended().value?.text == "slow")
        #expect(clock.now == 13)
        let news = try await api.events(for: SimpleNetworking.get("/news")).reduce(into: []) { $0.append($1.data) }
        #expect(news == ["first", "second"])
        for path in ["/film", "/short", "/down"] {
            guard case .networkingError? = await api.get(path).ended().error else { throw Unexpected(path) }
        }
        let never = api.get("/never")
        try await clock.advance(to: .timeout)
        guard case .timedOut? = await never.ended().error else { throw Unexpected("it ended otherwise") }
    }

    @Test
    func missingRequestIsShownSideBySide() async throws {
        let server = StubTransport().on("*", .status(204))
        let api = SimpleNetworking(host: "api.example.com") { $0.transport = server }
        await api.post("/users") { $0.body(json: ["name": "Bob"]) }.ended()
        do {
            try server.expectRequest(.put, "/users", where: [.json(#"{"name":"Ada"}"#)])
            Issue.record("there is no such request")
        } catch {
            let text = """
                expected a request PUT /users JSON {"name":"Ada"}, but 0 came
                  nearest request: POST https://api.example.com/users
                               expected   request
                    method     PUT      ≠ POST
                    path       /users     /users
                    JSON name  "Ada"    ≠ "Bob"
                """
            #expect("\(error)".hasPrefix("TestingSamples.swift:"))
            #expect("\(error)".contains(text))
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            let file = root.appendingPathComponent("Sources/SimpleNetworkingCore/Documentation.docc/Testing.md")
            #expect(try String(contentsOf: file.standardizedFileURL, encoding: .utf8).contains(text))
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func simulationsRunInAnyOrder() async throws {
        try await simulate(seeds: 1...200) { world in
            world.server.on(.get, "/user", .json(#"{"name": "Ada"}"#))
            let api = SimpleNetworking(host: "api.example.com") {
                world.configure(&$0)
                $0.retryPolicy = RetryPolicy(attempts: 3)
            }
            let request = api.get("/user")
            world.sometime("the screen closes") { request.cancel() }
            if case .success(let user) = await request.ended() {
                world.expect(user.json?["name"] as? String == "Ada", "another user came")
            }
        }
    }

    @Test
    func rulesHaveFieldsIDsAndGates() async throws {
        let gate = Gate()
        let server = StubTransport()
            .on("/list", .json("[]", headers: ["ETag": "\"v1\""]))
            .on("/news", .pieces("id: 7\nevent: note\ndata: one\n\n", type: "text/event-stream"))
            .on("/account", .status(401).after(gate))
        let api = SimpleNetworking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }

        #expect(try await api.send(SimpleNetworking.get("/list?page=2")).headers["ETag"] == "\"v1\"")
        for try await event in api.events(for: SimpleNetworking.get("/news")) {
            #expect((event.id, event.data) == ("7", "one"))
        }
        let request = api.get("/account")
        await gate.arrivals(1)
        gate.open()
        #expect(await request.ended().error?.httpStatus == 401)
        #expect(server.log == ["GET /list", "GET /news", "GET /account"])
    }

    @Test
    func sessionIsRecordedOnceAndThenReplayed() async throws {
        let folder = ScratchFile()
        let stub = StubTransport().on(.get, "/user", .json(#"{"name": "Ada"}"#))
        for _ in 0..<2 {
            let server = try LoopbackServer(stub)
            let url = server.url
            // swift-format-ignore: AlwaysUseLowerCamelCase
            func Cassette(_ path: String) -> SimpleNetworkingTesting.Cassette {
                SimpleNetworkingTesting.Cassette(folder.url.appendingPathComponent(path))
            }

            let cassette = Cassette("Fixtures/users.json")
            let api = SimpleNetworking(baseURL: url) { $0.middleware = [cassette] }

            #expect(try await api.send(SimpleNetworking.get("/user")).json?["name"] as? String == "Ada")
            try cassette.verify()
        }
        #expect(stub.requests.count == 1)
    }
}
