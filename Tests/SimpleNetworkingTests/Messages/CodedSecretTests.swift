import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Secrets in content whose names say nothing.
@Suite
struct CodedSecretTests {
    private struct Pair: Codable, Sendable {
        var first: Secret
        var second: Secret?
    }

    private let server = StubTransport()
    private let lines = Recorder<String>()
    private let client: SimpleNetworking

    init() {
        let logger = lines.logger(.debug)
        client = SimpleNetworking(over: server) { $0.logger = logger }
    }

    /// What the log says while a client gets `/echo`.
    private func echo(_ api: SimpleNetworking) async throws -> String {
        let before = lines.elements.count
        _ = try await api.send(SimpleNetworking.get("/echo"))
        return lines.elements.dropFirst(before).joined()
    }

    @Test
    func aSecretInARequestsContentIsHiddenWhereverItComesBack() async throws {
        server.on(.post, "/pairs", .json(#"{"refused": "was-encoded-1"}"#, status: 400))
        let body = Pair(first: Secret("was-encoded-1"), second: Secret("was-encoded-2"))
        let request = SimpleNetworking.post("/pairs", body: body)
        #expect(try await !request.curl(on: client).contains("was-encoded"))
        let error = try #require(await request.execute(on: client).ended().error)
        #expect(!"\(error)".contains("was-encoded") && "\(error)".contains("‹secret›"))
        #expect(lines.elements.contains { $0.contains("‹secret›") })
        #expect(!lines.elements.joined().contains("was-encoded"))
        #expect(server.requests.first?.json?["first"] as? String == "was-encoded-1")
    }

    @Test
    func aSecretThatWasDecodedIsHiddenFromThenOn() async throws {
        server.on(.get, "/pair", .json(#"{"first": "was-decoded"}"#)).on(.get, "/echo", .text("was-decoded"))
        let pair = try await client.send(Request<Pair>.get("/pair")).value
        #expect(pair.first.reveal() == "was-decoded")
        let texts = try await echo(client)
        #expect(texts.contains("‹secret›") && !texts.contains("was-decoded"))
    }

    @Test
    func aSecretInAJSONLineIsHiddenFromThenOn() async throws {
        server.on(.get, "/pairs", .text("{\"first\": \"was-decoded-1\"}\n{\"first\": \"was-decoded-2\"}\n"))
            .on(.get, "/echo", .text("was-decoded-1 was-decoded-2"))
        for try await pair in client.jsonLines(of: Pair.self, for: SimpleNetworking.get("/pairs")) {
            #expect(pair.first.reveal().hasPrefix("was-decoded"))
        }
        let texts = try await echo(client)
        #expect(texts.contains("‹secret› ‹secret›") && !texts.contains("was-decoded"))
    }

    @Test
    func aJSONLineThatCannotBeDecodedHidesTheSecretsBeforeIt() async throws {
        server.on(.get, "/pairs", .text("{\"first\": \"was-decoded\"}\n{\"other\": \"was-decoded\"}\n"))
        let error = await #expect(throws: SimpleNetworkingError.self) {
            for try await _ in client.jsonLines(of: Pair.self, for: SimpleNetworking.get("/pairs?q=was-decoded")) {}
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("‹secret›") && !text.contains("was-decoded"), "\(text)")
    }

    @Test
    func anotherClientsSecretIsNone() async throws {
        server.on(.post, "/pairs", .status(204)).on(.get, "/echo", .text("was-encoded"))
        _ = try await client.send(SimpleNetworking.post("/pairs", body: Pair(first: Secret("was-encoded"))))
        let other = SimpleNetworking(over: server) { $0.logger = lines.logger(.debug) }
        #expect(try await echo(other).contains("was-encoded"))
    }

    @Test
    func aCassetteHidesThem() async throws {
        let folder = ScratchFolder()
        let file = folder.url.appendingPathComponent("pairs.json")
        server.on(.post, "/pairs", .json(#"{"first": "was-decoded"}"#)).on(.get, "/echo", .text("was-decoded"))
        let api = SimpleNetworking(over: server, through: [Cassette(file, mode: .record)]) {
            $0.logger = lines.logger(.debug)
        }
        let body = Pair(first: Secret("was-encoded"))
        _ = try await api.send(SimpleNetworking.post("/pairs", body: body)).decode(Pair.self)
        _ = try await api.send(SimpleNetworking.get("/echo"))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("‹secret›") && !text.contains("was-encoded") && !text.contains("was-decoded"))

        let replay = SimpleNetworking(over: server, through: [Cassette(file, mode: .replay)]) {
            $0.logger = lines.logger(.debug)
        }
        _ = try await replay.send(SimpleNetworking.post("/pairs", body: body))
        #expect(try await replay.send(SimpleNetworking.get("/echo")).text == "‹secret›")
    }

    @Test(arguments: [
        (#"{"access":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}"#, #"{"access":"‹secret›"}"#, MediaType.json),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "‹secret›", .text),
        ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln, good", "got ‹secret›, good", .text),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", .text),
        ("eyJ.a.b", "eyJ.a.b", .text),
    ])
    func aJSONWebTokenIsHiddenUnderAnyName(text: String, shown: String, type: MediaType) {
        #expect(Redaction.text(ofContent: Data(text.utf8), type: type, limit: 1 << 10) == shown)
    }
}
