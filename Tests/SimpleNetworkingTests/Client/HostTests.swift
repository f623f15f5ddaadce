import Foundation
import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// How a client checks the host that it is given.
@Suite(.timeLimit(.minutes(5)))
struct HostTests {
    private let server = StubTransport().on("*", .json("{}"))

    @Test(arguments: ["http://x.com", "https://x.com/base", "HTTPS://x.com", "ws://x.com"])
    func hostWithASchemeFailsEachRequestAndSuggestsBaseURL(host: String) async throws {
        let client = SimpleNetworking(over: server, host: host)
        let error = await client.get("/x").ended().error
        guard case .invalidURL(host, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("without a scheme") && reason.contains("baseURL"))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["x.com", "x.com:8443", "x.com/base", "127.0.0.1", "[::1]:80"])
    func aHostMayHaveAPortAndAPath(host: String) async {
        let client = SimpleNetworking(host: host) { $0.transport = server }
        await client.get("/y").ended()
        #expect(server.requests.first?.url.absoluteString == "https://\(host)/y")
    }
}
