import Foundation
import SimpleNetworking
import SimpleNetworkingForms
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// Recording real requests to a file, and replaying them without the network.
@Suite(.timeLimit(.minutes(5)))
struct CassetteTests {
    private let folder = ScratchFolder()
    private let stub = StubTransport()

    private var file: URL { folder.url.appendingPathComponent("session.json") }
    private var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    private func record(_ requests: SimpleRequest...) async throws {
        let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)])
        for request in requests { await request.execute(on: api).ended() }
    }

    private func failure(_ api: SimpleNetworking, _ request: SimpleRequest) async -> String {
        guard case .failed(let error, _, _)? = await request.execute(on: api).ended().error else { return "no failure" }
        return "\(error)"
    }

    @Test
    func sessionOverARealSocketIsReplayedByteExactWithoutTheNetwork() async throws {
        let film = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        stub.on(.get, "/users", where: [.query("page", nil)], .json("{\"next\":  2,\n\"items\": [1]}\n"))
            .on(.get, "/users", .json(#"{"items": []}"#)).on(.post, "/photos", .status(201))
            .on(.get, "/film", .pieces(.data(film.prefix(10)), .data(film.dropFirst(10))))
            .on(.get, "/gone", .redirect(to: "/users")).on(.get, "/none", .text("nö", status: 404))
            .on(.get, "/down", .failure(.connectionLost))
        let server = try LoopbackServer(stub)
        let place = try ScratchFile()

        func session(_ mode: Cassette.Mode, _ base: URL) async throws -> [Data] {
            let cassette = Cassette(file, mode: mode)
            let api = SimpleNetworking(baseURL: base) { ($0.middleware, $0.logger) = ([cassette], .quiet) }
            var contents: [Data] = []
            for path in ["/users", "/users?page=2", "/gone"] {
                contents.append(try await api.send(SimpleNetworking.get(path)).data)
            }
            let form = Multipart().field("title", "Sunset").data("photo", film)
            #expect(try await api.send(SimpleNetworking.post("/photos").body(multipart: form)).httpStatus == 201)
            try await api.download(for: SimpleNetworking.get("/film"), to: place.url)
            contents.append(place.content ?? Data())
            contents.append(try await api.bytes(for: SimpleNetworking.get("/film")).reduce(into: Data()) { $0 += $1 })
            contents.append(await api.get("/none").ended().error?.response?.data ?? Data())
            guard case .networkingError(let failure, _)? = await api.get("/down").ended().error else {
                throw "it was up".asError
            }
            try cassette.verify()
            return contents + [Data("\(failure.kind.rawValue)".utf8)]
        }

        let recorded = try await session(.record, server.url)
        #expect(recorded[3] == film && recorded[4] == film)
        server.stop()
        let before = text
        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        #expect(try await session(.replay, nowhere) == recorded)
        #expect(text == before)
        #expect(try folder.files(".body").count == 2)
    }

    @Test
    func fileIsReadable() async throws {
        stub.on(.post, "/users", .json("{\n  \"id\": 7\n}", status: 201)).on("/down", .failure(.offline))
        try await record(
            SimpleNetworking.post("/users?token=abcdef").body(json: ["name": "Ada", "password": "abcdef"])
                .headers(["User-Agent": "Tests", "Authorization": "Bearer abcdef"]),
            SimpleNetworking.get("/down").headers(["User-Agent": "Tests"])
        )
        let expected = #"""
            {
              "exchanges" : [
                {
                  "request" : {
                    "body" : [
                      "{\"name\":\"Ada\",\"password\":\"‹secret›\"}"
                    ],
                    "headers" : [
                      "Authorization: ‹secret›",
                      "User-Agent: Tests",
                      "Accept: */*;q=0.5, application/json",
                      "Content-Type: application/json"
                    ],
                    "method" : "POST",
                    "url" : "https://api.example.com/users?token=‹secret›"
                  },
                  "response" : {
                    "body" : [
                      "{\n",
                      "  \"id\": 7\n",
                      "}"
                    ],
                    "headers" : [
                      "Content-Type: application/json"
                    ],
                    "status" : 201
                  }
                },
                {
                  "failure" : {
                    "kind" : "there is no network connection"
                  },
                  "request" : {
                    "headers" : [
                      "User-Agent: Tests",
                      "Accept: */*;q=0.5, application/json"
                    ],
                    "method" : "GET",
                    "url" : "https://api.example.com/down"
                  }
                }
              ],
              "version" : 2
            }

            """#
        #expect(text == expected)
    }

    @Test
    func changedRequestFailsWithTheDifference() async throws {
        stub.on("*", .status(204))
        try await record(SimpleNetworking.post("/users").body(json: ["name": "Ada", "tags": [1]] as [String: Any]))
        let cassette = Cassette(file, mode: .replay)
        let api = SimpleNetworking(over: stub, through: [cassette])
        #expect(
            await failureText { try cassette.verify() } == """
                recorded in session.json, but not requested:
                  POST https://api.example.com/users
                """
        )
        let changed = SimpleNetworking.put("/users").body(json: ["name": "Bob", "tags": [1]] as [String: Any])
        let difference = await failure(api, changed)
        #expect(
            difference == """
                request 1 is not the one that session.json has:
                             recorded                        request
                  method     POST                          ≠ PUT
                  URL        https://api.example.com/users   https://api.example.com/users
                  body name  "Ada"                         ≠ "Bob"
                if the change is meant, record it with the mode .update
                """
        )
        // What did not match was not made.
        #expect(throws: (any Error).self) { try cassette.verify() }
        let same = SimpleNetworking.post("/users").body(json: ["name": "Ada", "tags": [1]] as [String: Any])
        _ = try await api.send(same)
        try cassette.verify()
        #expect(
            await failure(api, SimpleNetworking.get("/more")) == """
                request 2, GET https://api.example.com/more, comes after the last one of session.json; if the change is \
                meant, record it with the mode .update
                """
        )
        #expect(stub.requests.count == 1)
    }

    @Test
    func missingAndBrokenFilesAreNamed() async throws {
        let missing = SimpleNetworking(over: stub, through: [Cassette(file, mode: .replay)])
        #expect(
            await failure(missing, SimpleNetworking.get("/x"))
                == "there is no cassette at \(file.path); record it with the mode .record or .auto"
        )
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(#"{"version": 3, "exchanges": []}"#.utf8).write(to: file)
        let broken = SimpleNetworking(over: stub, through: [Cassette(file, mode: .auto)])
        #expect(
            await failure(broken, SimpleNetworking.get("/x"))
                == "the cassette \(file.path) can't be read: its version is 3, and not 1 or 2"
        )
        #expect(stub.requests.isEmpty)
    }

    @Test
    func autoRecordsOnceAndUpdateRecordsFromTheFirstChange() async throws {
        stub.on("*") { .text("\($0.url.path) \(stub.requests.count)") }
        func texts(_ mode: Cassette.Mode, _ paths: [String]) async -> [String?] {
            let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: mode)])
            var texts: [String?] = []
            for path in paths { texts.append(await api.get(path).ended().value?.text) }
            return texts
        }
        #expect(await texts(.auto, ["/a", "/b", "/c"]) == ["/a 1", "/b 2", "/c 3"])
        #expect(await texts(.auto, ["/a", "/b", "/c"]) == ["/a 1", "/b 2", "/c 3"])
        #expect(await texts(.update, ["/a", "/x", "/c"]) == ["/a 1", "/x 4", "/c 5"])
        #expect(await texts(.replay, ["/a", "/x", "/c"]) == ["/a 1", "/x 4", "/c 5"])
        #expect(await texts(.record, ["/a"]) == ["/a 6"])
        #expect(await texts(.replay, ["/a", "/x"]) == ["/a 6", nil])
    }

    @Test
    func thousandSecretsOfAllKindsDoNotReachTheDisk() async throws {
        var secrets: [String] = []
        func secret() -> String {
            secrets.append("s3cr\(secrets.count)-\(UUID().uuidString)")
            return secrets[secrets.count - 1]
        }
        var requests: [SimpleRequest] = []
        for round in 0..<2 {
            let (echoed, late) = (secret(), secret())
            let members = (0..<120).map { _ in #"{"client_secret": "\#(secret())"}"# }.joined(separator: ",")
            let json = #"{"access_token": "\#(secret())", "list": [\#(members)], "a": "\#(echoed)", "b": "\#(late)"}"#
            let fields: HTTPHeaders = ["Set-Cookie": "sid=\(secret()); Path=/", "X-Session-Token": secret()]
            stub.on(.post, "/\(round)", .json(json, headers: fields))
            let markup = (0..<120).map { _ in "<password>\(secret())</password> token=\(secret())\n" }.joined()
            stub.on(.put, "/\(round)", .text(markup))
            let basic = Data("ada:\(secret())".utf8).base64EncodedString()
            secrets.append(basic)
            let tokens = (0..<120).map { _ in ["refresh_token": secret()] }
            let pairs = (0..<5).map { ("client_secret_\($0)", secret()) }
            let form = Multipart().field("password", secret()).field("echo", late).data("token", Data(secret().utf8))
            requests += [
                SimpleNetworking.post("/\(round)?api_key=\(secret())&code=\(secret())")
                    .headers(["Authorization": "Bearer \(echoed)", "X-Api-Key": secret(), "Cookie": "a=\(secret())"])
                    .body(json: ["password": [secret()], "list": tokens, "echo": [echoed]] as [String: Any]),
                SimpleNetworking.post("/\(round)").headers(["Authorization": "Basic \(basic)"])
                    .body(form: Query(pairs)),
                SimpleNetworking.post("/\(round)").headers(["Authorization": "Bearer \(late)"]).body(multipart: form),
                SimpleNetworking.put("/\(round)?q=\(late)").body(text: "password=\(secret())"),
            ]
        }
        let api = SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)])
        for request in requests { await request.execute(on: api).ended() }
        #expect(secrets.count >= 1_000)
        var disk = text
        for body in try folder.files(".body") { disk += try String(contentsOf: body, encoding: .utf8) }
        #expect(disk.contains("/1?q=‹secret›"))
        #expect(secrets.filter { disk.contains($0) } == [])
        // What is hidden is still what the requests have.
        let cassette = Cassette(file, mode: .replay)
        let replay = SimpleNetworking(over: stub, through: [cassette])
        for request in requests { #expect(await request.copy().execute(on: replay).ended().value?.httpStatus == 200) }
        try cassette.verify()
    }
}
