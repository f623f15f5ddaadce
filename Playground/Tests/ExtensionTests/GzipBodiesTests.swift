import Extensions
import FlyingFox
import FlyingSocks
import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// A feature that is written with the public part of the package alone.
@Suite(.timeLimit(.minutes(1)))
struct GzipBodiesTests {
    private let text = String(repeating: "to be, or not to be; ", count: 50)

    /// A client that sends to a recorder of requests, for what is compressed and what isn't.
    private func client(_ server: StubTransport, compresses: Bool) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, .silent)
            $0.middleware.append(GzipBodies())
            $0.compressesBodies = compresses
        }
    }

    @Test(arguments: [(false, nil, false), (true, nil, true), (false, true, true), (true, false, false)])
    func aRequestReplacesWhatItsClientSays(client: Bool, request: Bool?, expected: Bool) async throws {
        let server = StubTransport().on("*", .status(204))
        let api = self.client(server, compresses: client)
        await api.post("/text") { made in
            made.body(text: text)
            if let request { made.compressed(request) }
            return made
        }.ended()
        let sent = try #require(server.requests.first)
        #expect(sent.headers["Content-Encoding"] == (expected ? "gzip" : nil))
        guard case .data(let content) = sent.body else { Issue.record("no content"); return }
        #expect((expected ? Gzip.decompress(content) : content) == Data(text.utf8))
    }

    /// Content that isn't compressed, and the coding that it has.
    enum Other: CaseIterable {
        case none, small, coded
    }

    @Test(arguments: Other.allCases)
    func otherContentIsSentAsItIs(_ other: Other) async throws {
        let server = StubTransport().on("*", .status(204))
        await client(server, compresses: true).post("/text") { made in
            switch other {
            case .none: made
            case .small: made.body(text: "a")
            case .coded: made.body(text: text).header("Content-Encoding", "br")
            }
        }.ended()
        let sent = try #require(server.requests.first)
        #expect(sent.headers["Content-Encoding"] == (other == .coded ? "br" : nil))
        if case .data(let content) = sent.body { #expect(content == Data((other == .small ? "a" : text).utf8)) }
    }

    /// A server that reads what arrives at its socket.
    @Test
    func aServerReadsTheContent() async throws {
        let server = HTTPServer(address: try sockaddr_in.inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("POST /text") { request in
            guard request.headers[HTTPHeader("Content-Encoding")] == "gzip",
                let text = Gzip.decompress(try await request.bodyData)
            else { return HTTPResponse(statusCode: .unsupportedMediaType) }
            return HTTPResponse(statusCode: .ok, body: text)
        }
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port)? = await server.listeningAddress else { Issue.record("no port"); return }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let api = SimpleNetworking(baseURL: url) {
            $0.logger = .silent
            $0.middleware.append(GzipBodies())
        }
        let response = try await api.send(SimpleNetworking.post("/text").body(text: text).compressed())
        #expect(response.text == text)
        await #expect(throws: SimpleNetworkingError.self) {
            try await api.send(SimpleNetworking.post("/text").body(text: text))
        }
    }
}
