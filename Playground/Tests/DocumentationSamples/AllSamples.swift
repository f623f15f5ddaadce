import SimpleNetworkingAll
import SimpleNetworkingTesting
import Testing

/// What the umbrella exports: the client and each feature, with no other import.
@Suite
struct AllSamples {
    @Test
    func oneImportIsEnough() async throws {
        let server = StubTransport().on("/photos", .status(201))
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.authenticator = DigestAuthenticator(user: "ada", password: "open sesame")
        }
        let query = try Query(encoding: ["a": Data("1".utf8)])
        let request = SimpleNetworking.post("/photos").query(query).body(multipart: Multipart().field("b", "2"))
        #expect(try await api.send(request).httpStatus == 201)
        #expect(server.requests.last?.multipart?.first?.text == "2")
    }
}
