import Foundation
import SimpleNetworking
import SimpleNetworkingOAuth
import SimpleNetworkingTesting
import Testing

/// Recording a session with tokens from a real socket, and replaying it without the network.
@Suite(.timeLimit(.minutes(5)))
struct OAuthCassetteTests {
    private let folder: ScratchFolder
    private let stub = StubTransport()
    /// The text `{"name": "Ada", "no": 1}`, compressed.
    private let gzip = Data(base64Encoded: "H4sIAAAAAAACA6tWykvMTVWyUlByTElU0lFQyssHcgxruQDm9xgxGQAAAA==") ?? Data()

    init() throws { folder = try ScratchFolder() }

    /// Refreshes the expired token, and gets what only the new one may see.
    private func session(_ mode: Cassette.Mode, at server: URL) async throws -> [Data] {
        let cassette = Cassette(folder.url.appendingPathComponent("session.json"), mode: mode)
        var configuration = Example.configuration
        configuration.tokenEndpoint = server.appendingPathComponent("token")
        let store = MemoryCredentialStore(Example.expired("first-access", refresh: "first-refresh"))
        let session = OAuthSession(configuration, store: store) { ($0.middleware, $0.logger) = ([cassette], .quiet) }
        let api = SimpleNetworking(baseURL: server) {
            $0.authenticator = session
            ($0.middleware, $0.logger) = ([cassette], .quiet)
        }
        var contents: [Data] = []
        for path in ["/me", "/me?page=2"] { contents.append(try await api.send(SimpleNetworking.get(path)).data) }
        try cassette.verify()
        return contents
    }

    @Test
    func aSessionWithTokensAndCompressionIsReplayedByteExactWithoutASecretOnDisk() async throws {
        let token = #"{"access_token":"second-access","refresh_token":"second-refresh","expires_in":3600}"#
        let fields: HTTPHeaders = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let compressed = StubResponse(headers: fields, body: gzip)
        stub.on(.post, "/token", .json(token))
            .on(.get, "/me", where: [.header("Authorization", "Bearer second-access")], compressed)
            .on(.get, "/me", .status(401))
        let server = try LoopbackServer(stub)
        let recorded = try await session(.record, at: server.url)
        #expect(recorded == Array(repeating: Data("{\"name\": \"Ada\", \"no\": 1}\n".utf8), count: 2))
        server.stop()

        let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
        #expect(try await session(.replay, at: nowhere) == recorded)
        for name in folder.names {
            let text = try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
            for secret in ["first-access", "first-refresh", "second-access", "second-refresh"] {
                #expect(!text.contains(secret), "\(name) has \(secret)")
            }
        }
    }
}
