import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

/// What a cassette keeps of unusual content, ends and neighbours.
@Suite(.timeLimit(.minutes(2)))
struct CassetteContentTests {
    private let folder = ScratchFolder()
    private let stub = StubTransport()

    private func client(_ mode: Cassette.Mode, _ name: String = "users.json") -> SimpleNetworking {
        let cassette = Cassette(folder.url.appendingPathComponent(name), mode: mode)
        return SimpleNetworking(over: mode == .record ? stub : StubTransport(), through: [cassette])
    }

    private var disk: String {
        get throws { try String(contentsOf: folder.url.appendingPathComponent("users.json"), encoding: .utf8) }
    }

    @Test(arguments: ["users.json", "users.har"])
    func whatIsRecordedIsReadInOrder(name: String) async throws {
        stub.on(.get, "/users", .json("[1]", headers: ["X-Two": "2"])).on(.post, "/users", .status(201))
            .on("/down", .failure(.connectionLost))
        let api = client(.record, name)
        _ = try await api.send(SimpleNetworking.get("/users?token=s3cret-token", headers: ["X-One": "1"]))
        _ = try await api.send(SimpleNetworking.post("/users").body(text: "Ada"))
        await api.get("/down").ended()
        let exchanges = try Cassette(folder.url.appendingPathComponent(name)).exchanges()
        #expect(exchanges.map(\.method) == [.get, .post, .get])
        #expect(exchanges.map(\.body) == [nil, "Ada", nil])
        let first = try #require(exchanges.first)
        #expect(first.url == "https://api.example.com/users?token=‹secret›" && first.headers["X-One"] == "1")
        #expect(exchanges.map { $0.response?.httpStatus } == [200, 201, nil])
        #expect(first.response?.data == Data("[1]".utf8) && first.response?.headers["X-Two"] == "2")
        #expect(exchanges.last?.failure?.kind == .connectionLost && first.failure == nil)
    }

    @Test
    func aFileThatIsNoCassetteIsAnErrorThatNamesIt() throws {
        let file = folder.url.appendingPathComponent("users.json")
        #expect { try Cassette(file).exchanges() } throws: { "\($0)".contains("users.json can't be read") }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: file)
        #expect { try Cassette(file).exchanges() } throws: { "\($0)".contains("users.json can't be read") }
    }

    /// A cassette may come from elsewhere, and its replay sends what it has read to the code under test.
    @Test(arguments: ["../outside.txt", "inside/../../outside.txt", "link.txt", "folder/outside.txt", "absolute"])
    func contentOutsideTheCassettesFolderIsNotRead(name: String) throws {
        let outside = folder.url.appendingPathComponent("outside.txt")
        let inside = folder.url.appendingPathComponent("cassettes")
        let manager = FileManager.default
        try manager.createDirectory(at: inside.appendingPathComponent("inside"), withIntermediateDirectories: true)
        try Data("outside".utf8).write(to: outside)
        try Data("inside".utf8).write(to: inside.appendingPathComponent("inside/content.txt"))
        for (link, target) in [("link.txt", outside), ("folder", folder.url)] {
            try manager.createSymbolicLink(at: inside.appendingPathComponent(link), withDestinationURL: target)
        }
        func contents(of name: String) throws -> [String?] {
            let text = """
                {"version": 1, "exchanges": [{
                    "request": {"method": "GET", "url": "https://api.example.com/x", "headers": []},
                    "response": {"status": 200, "headers": [], "file": "\(name)"}
                }]}
                """
            let file = inside.appendingPathComponent("users.json")
            try Data(text.utf8).write(to: file)
            return try Cassette(file).exchanges().map { $0.response?.data }.map {
                $0.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect {
            try contents(of: name == "absolute" ? outside.path : name)
        } throws: {
            "\($0)".contains("outside the cassette's folder")
        }
        #expect(try contents(of: "inside/content.txt") == ["inside"])
    }

    @Test
    func theFilesOfANeighbourStay() async throws {
        stub.on("*", .data(Data([0, 255, 0])))
        for name in ["users-admin.json", "users.json"] {
            _ = try await client(.record, name).send(SimpleNetworking.get("/x"))
        }
        let data = try await client(.replay, "users-admin.json").send(SimpleNetworking.get("/x")).data
        #expect(data == Data([0, 255, 0]))
    }

    @Test
    func aSecretThatIsAPartOfTheMarkDoesNotStopTheRecording() async throws {
        let content = Data([0xFF, 0]) + Data("secret hushhush-long hushhush".utf8)
        stub.on("*", .data(content))
        let fields = [
            "X-Api-Key": "secret", "Authorization": "Bearer hushhush", "Cookie": "a=hushhush-long",
        ]
        _ = try await client(.record).send(SimpleNetworking.get("/x").headers(fields))
        let data = try await client(.replay).send(SimpleNetworking.get("/x").headers(fields)).data
        #expect(data == Data([0xFF, 0]) + Data("secret ‹secret› ‹secret›".utf8))
    }

    @Test(arguments: [
        ("<a>é</a><token>hushhush</token>", "application/xml; charset=ISO-8859-1", String.Encoding.isoLatin1),
        (#"{"name": "é", "token": "hushhush"}"#, "application/json; charset=utf-16", .utf16),
        (#"{"name": "é", "token": "hushhush"}"#, "application/json", .utf16LittleEndian),
    ])
    func secretsInOtherCharsetsAreHidden(text: String, type: String, encoding: String.Encoding) async throws {
        let plain = try #require("é".data(using: encoding))
        stub.on("/secret", .data(try #require(text.data(using: encoding)), type: type))
            .on("/plain", .data(plain, type: type))
        let api = client(.record)
        _ = try await api.send(SimpleNetworking.get("/secret"))
        _ = try await api.send(SimpleNetworking.get("/plain"))
        let replay = client(.replay)
        let response = try await replay.send(SimpleNetworking.get("/secret"))
        let content = try #require(response.text)
        #expect(content.contains("é") && content.contains("‹secret›") && !content.contains("hushhush"))
        #expect(String(data: response.data, encoding: .utf8) == content)
        let kept = try await replay.send(SimpleNetworking.get("/plain"))
        #expect(kept.data == plain && kept.headers["Content-Type"] == type)
    }

    @Test
    func aTimeoutIsReplayedAsOne() async throws {
        let head = RequestHead(method: .get, url: try #require(URL(string: "https://api.example.com/x")))
        stub.on("/x", .failure(SimpleNetworkingError.timedOut(.attempt(1), head)))
        for mode in [Cassette.Mode.record, .replay] {
            guard case .timedOut? = await client(mode).get("/x").timeout(3).ended().error else {
                Issue.record("it did not time out: \(mode)")
                return
            }
        }
    }

    @Test(arguments: ["users.json", "users.har"])
    func trailersAreReplayed(name: String) async throws {
        stub.on("/x", .text("hello").trailers(["X-Sum": "42"]))
        _ = try await client(.record, name).send(SimpleNetworking.get("/x"))
        let response = try await client(.replay, name).send(SimpleNetworking.get("/x"))
        #expect(response.text == "hello" && response.trailers["X-Sum"] == "42")
    }

    @Test
    func aStreamThatIsLeftEarlyIsRecordedSoFar() async throws {
        stub.on("/x", .pieces("one", .silence))
        let api = client(.record)
        do {
            for try await piece in api.bytes(for: SimpleNetworking.get("/x")) {
                #expect(piece == Data("one".utf8))
                break
            }
        }
        try await eventually { (try? disk.contains("one")) == true }
        let replayed = try await client(.replay).bytes(for: SimpleNetworking.get("/x")).reduce(into: Data()) {
            $0 += $1
        }
        #expect(replayed == Data("one".utf8))
    }
}
