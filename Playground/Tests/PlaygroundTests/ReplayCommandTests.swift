import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

// One after another: each starts programs, and other tests measure time.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ReplayCommandTests {
    private let folder: Folder
    private let stub = StubTransport()

    init() throws { folder = try Folder() }

    /// Records a session of `api.example.com`, and returns the path of its cassette.
    private func record(_ name: String = "session.json") async throws -> String {
        stub.on(.get, "/users", where: [.query("page", "2")], .json("[2]"))
            .on(.get, "/users", .replies(.json("[1]", headers: ["X-Two": "2"]), .json("[1, 3]")))
            .on(.post, "/users", .status(201)).on(.get, "/old", .redirect(to: "https://api.example.com/users?page=2"))
            .on(.get, "/film", .data(Data([0, 255, 0, 7]), type: "video/mp4")).on(
                .get,
                "/down",
                .failure(.connectionLost)
            )
        let file = folder.file(name)
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (stub, .silent)
            ($0.middleware, $0.redirectPolicy) = ([Cassette(file, mode: .record)], .never)
        }
        for path in ["/users", "/users?page=2", "/users", "/old", "/film", "/down"] { await api.get(path).ended() }
        await api.post("/users", body: ["name": "Ada"]).ended()
        return file.path
    }

    private func client(_ line: String) throws -> SimpleNetworking {
        let address = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)?.output)
        return SimpleNetworking(baseURL: try #require(URL(string: String(address)))) { $0.logger = .silent }
    }

    @Test
    func aFileThatIsNotThereIsAnError() async throws {
        let run = try await Run("replay", folder.file("none.json").path)
        #expect(run.status == 1)
        #expect(run.errors == "There is no file \(folder.file("none.json").path).\n")
    }

    @Test(arguments: ["session.json", "session.har"])
    func whatIsRecordedIsServedInAnyOrder(name: String) async throws {
        let cassette = try await record(name)
        let run = try await Run("replay", cassette, "--port", "0") { greeting in
            #expect(greeting.hasPrefix("7 exchanges of "))
            let api = try client(greeting)
            func text(_ path: String) async throws -> String? { try await api.send(SimpleNetworking.get(path)).text }
            #expect(try await text("/users?page=2") == "[2]")
            let first = try await api.send(SimpleNetworking.get("/users"))
            #expect(first.text == "[1]" && first.headers["X-Two"] == "2")
            #expect(first.headers["Content-Type"] == "application/json")
            // The last one again and again; a query that was never sent is any.
            #expect(try await text("/users") == "[1, 3]")
            #expect(try await text("/users") == "[1, 3]")
            #expect(try await text("/users?page=9") == "[1]")
            // A redirect to the recorded host leads to this one.
            #expect(try await text("/old") == "[2]")
            #expect(try await api.send(SimpleNetworking.get("/film")).data == Data([0, 255, 0, 7]))
            #expect(try await api.send(SimpleNetworking.post("/users")).httpStatus == 201)
            await #expect(throws: SimpleNetworkingError.self) { try await text("/down") }
            let ended = await api.delete("/users").ended()
            guard case .failure(let error) = ended else { throw CancellationError() }
            let other = error.response
            #expect(other?.httpStatus == 501)
            #expect(other?.text?.contains("DELETE /users is not recorded. Recorded are:\nGET https://") == true)
        }
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").dropFirst()
        #expect(lines.contains("GET /users?page=2 → 200") && lines.contains("DELETE /users → 501, not recorded"))
    }

    @Test
    func theListShowsWhatIsRecorded() async throws {
        let cassette = try await record()
        let run = try await Run("replay", cassette, "--list")
        #expect(run.status == 0)
        #expect(
            run.output == """
                GET https://api.example.com/users → 200  3 bytes  application/json
                GET https://api.example.com/users?page=2 → 200  3 bytes  application/json
                GET https://api.example.com/users → 200  6 bytes  application/json
                GET https://api.example.com/old → 302  0 bytes
                GET https://api.example.com/film → 200  4 bytes  video/mp4
                GET https://api.example.com/down → the connection was lost
                POST https://api.example.com/users → 201  0 bytes

                """
        )
        let verbose = try await Run("replay", cassette, "-l", "-v").output
        #expect(verbose.contains("    Accept: */*;q=0.5, application/json") && verbose.contains(#"    {"name":"Ada"}"#))
        #expect(verbose.contains("    HTTP 200\n    X-Two: 2\n    Content-Type: application/json\n\n    [1]\n"))
        #expect(verbose.contains("    (4 bytes that are no text)"))
    }

    @Test
    func whatRequestRecordsIsServed() async throws {
        stub.on("/hello", .text("hello, Ada"))
        let server = try LoopbackServer(stub)
        let file = folder.file("hello.json").path
        #expect(try await Run("request", "\(server.url)/hello", "--record", file).status == 0)
        server.stop()
        let run = try await Run("replay", file, "--port", "0") { greeting in
            #expect(greeting.hasPrefix("1 exchange of "))
            let response = try await client(greeting).send(SimpleNetworking.get("/hello"))
            #expect(response.text == "hello, Ada")
        }
        #expect(run.status == 0)
    }

    @Test
    func aFileThatIsNoCassetteIsAnError() async throws {
        let file = folder.file("users.json")
        try Data("{}".utf8).write(to: file)
        let run = try await Run("replay", file.path)
        #expect(run.status == 1 && run.errors.contains("the cassette \(file.path) can't be read"), "\(run.errors)")
    }

    @Test
    func aTakenPortIsAnError() async throws {
        let (cassette, server) = (try await record(), try LoopbackServer(stub))
        let run = try await Run("replay", cassette, "--port", "\(server.port)")
        #expect(run.status == 1 && run.errors.contains("can't listen"))
    }
}
