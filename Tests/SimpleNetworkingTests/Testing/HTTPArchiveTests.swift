import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Cassettes in the format of browsers and proxies.
@Suite(.timeLimit(.minutes(2)))
struct HTTPArchiveTests {
    private let folder = ScratchFolder()

    private var file: URL { folder.url.appendingPathComponent("session.har") }

    @Test
    func aRecordedSessionIsReplayedByteExact() async throws {
        let image = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let stub = StubTransport().on(.get, "/user", .json("{\n  \"name\": \"Ada\"\n}"))
            .on(.post, "/notes", .status(201, headers: ["Set-Cookie": "a=1", "X-B": "b"]))
            .on("/image", .data(image, type: "image/png")).on("/down", .failure(.connectionLost))

        func session(_ mode: Cassette.Mode) async throws -> [String] {
            let api = SimpleNetworking(
                over: mode == .record ? stub : StubTransport(),
                through: [Cassette(file, mode: mode)]
            )
            let user = try await api.send(SimpleNetworking.get("/user", query: ["id": "7"]))
            let note = try await api.send(SimpleNetworking.post("/notes", body: ["text": "tea"]))
            let data = try await api.send(SimpleNetworking.get("/image")).data
            let error = await api.get("/down").ended().error
            return [user.text ?? "", "\(note.headers)", data == image ? "the image" : "another", "\(error as Any)"]
        }

        let recorded = try await session(.record)
        #expect(try await session(.replay) == recorded)
        #expect(try folder.files("").count == 1)
    }

    @Test
    func theFileHasWhatTheFormatRequires() async throws {
        let stub = StubTransport().on("/login", .json(#"{"token": "abcdef"}"#))
        let request = SimpleNetworking.post("/login?x=1").body(json: ["user": "ada", "password": "hushhush"])
        _ = try await SimpleNetworking(over: stub, through: [Cassette(file, mode: .record)]).send(
            request.header("Authorization", "Bearer abcdefgh")
        )
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("abcdef") && !text.contains("hushhush"))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let log = try #require(json["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2" && log["creator"] != nil)
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        #expect(Set(entry.keys) == ["startedDateTime", "time", "request", "response", "cache", "timings"])
        let sent = try #require(entry["request"] as? [String: Any])
        #expect(sent["url"] as? String == "https://api.example.com/login?x=1" && sent["method"] as? String == "POST")
        #expect((sent["queryString"] as? [[String: String]]) == [["name": "x", "value": "1"]])
        #expect((sent["postData"] as? [String: Any])?["mimeType"] as? String == "application/json")
    }

    /// As a browser writes it: decoded content, a blocked request, and fields of its own.
    @Test
    func theFileOfAnotherToolIsReplayed() async throws {
        let archive = #"""
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
              {"startedDateTime": "2026-11-22T10:00:00.000Z", "time": 5.1, "_initiator": {"type": "other"}, "cache": {},
               "request": {"method": "GET", "url": "https://api.example.com/blocked", "httpVersion": "", "headers": [],
                 "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
               "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
                 "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
                 "_error": "net::ERR_BLOCKED_BY_CLIENT"}, "timings": {"send": 0, "wait": 0, "receive": 0}},
              {"startedDateTime": "2026-11-22T10:00:01.000Z", "time": 7,
               "request": {"method": "POST", "url": "https://api.example.com/users?api_key=verysecret", "httpVersion": "h2",
                 "headers": [{"name": ":method", "value": "POST"}, {"name": "content-type", "value": "application/json"},
                   {"name": "authorization", "value": "Bearer s3cret"}],
                 "postData": {"mimeType": "application/json", "text": "{\"name\":\"Ada\"}"}},
               "response": {"status": 201, "statusText": "", "httpVersion": "h2", "cookies": [],
                 "headers": [{"name": "content-type", "value": "image/png"}, {"name": "x-a", "value": "1"}],
                 "content": {"size": 3, "mimeType": "image/png", "text": "AQID", "encoding": "base64"},
                 "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 90}}
            ]}}
            """#
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(archive.utf8).write(to: file)
        let request = SimpleNetworking.post("/users?api_key=verysecret").body(json: ["name": "Ada"])
        let api = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)])
        let response = try await api.send(request)
        #expect(response.httpStatus == 201 && response.data == Data([1, 2, 3]) && response.headers["X-A"] == "1")
        // Nothing of the file's secrets is in what is told of a request that is not in it.
        let other = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)])
        let error = await other.get("/other").ended().error
        #expect(!"\(error as Any)".contains("s3cret") && !"\(error as Any)".contains("verysecret"))
    }

    @Test
    func whatIsNoArchiveIsNamed() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(#"{"log": {}}"#.utf8).write(to: file)
        let api = SimpleNetworking(over: StubTransport(), through: [Cassette(file, mode: .replay)])
        guard case .failed(let error, _, _)? = await api.get("/x").ended().error else {
            Issue.record("it was replayed")
            return
        }
        #expect("\(error)".hasPrefix("the cassette \(file.path) can't be read:"))
    }
}
