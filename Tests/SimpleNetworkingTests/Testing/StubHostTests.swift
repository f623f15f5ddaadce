import Foundation
import SimpleNetworkingCore
import SimpleNetworkingTesting
import Testing

/// Rules that belong to one host.
@Suite(.timeLimit(.minutes(5)))
struct StubHostTests {
    private let server = StubTransport()

    private func status(_ url: String, over server: StubTransport? = nil) async -> Int? {
        let api = SimpleNetworking(over: server ?? self.server)
        return await api.get(url).ended().value?.httpStatus
    }

    @Test(arguments: [
        ("https://auth.example.com/token", "https://auth.example.com/token", true),
        ("https://auth.example.com/token", "https://auth.example.com/other", false),
        ("https://auth.example.com/token", "https://api.example.com/token", false),
        ("https://auth.example.com/token", "http://auth.example.com/token", false),
        ("//auth.example.com/token", "http://auth.example.com/token", true),
        ("//AUTH.example.com/{id}", "https://auth.EXAMPLE.com/7", true),
        ("//auth.example.com", "https://auth.example.com/any/thing", true),
        ("//auth.example.com:8443/token", "https://auth.example.com:8443/token", true),
        ("//auth.example.com:8443/token", "https://auth.example.com/token", false),
        ("//auth.example.com:443/token", "https://auth.example.com/token", true),
        ("//example.com/token", "https://auth.example.com/token", false),
        ("/token", "https://auth.example.com/token", true),
    ])
    func ruleOfAHostRespondsToNoOther(pattern: String, url: String, responds: Bool) async {
        server.on(.get, pattern, .status(204))
        #expect(await status(url) == (responds ? 204 : nil))
        #expect(server.requests(to: pattern).count == (responds ? 1 : 0))
    }

    @Test
    func stubOfOneHostDoesNotRespondToAnother() async throws {
        let server = StubTransport(host: "api.example.com").on("/x", .status(204)).on(
            "//cdn.example.com/x",
            .status(203)
        )
        #expect(await status("/x", over: server) == 204)
        #expect(await status("https://cdn.example.com/x", over: server) == 203)
        #expect(await status("https://evil.example.com/x", over: server) == nil)
        try server.expectRequest(.get, "/x")
        try server.expectRequest(.get, "//evil.example.com/x")
    }

    @Test
    func anotherHostIsShownSideBySide() async throws {
        server.on(.get, "https://auth.example.com/token", .status(204))
        let api = SimpleNetworking(over: server)
        guard case .failed(let error, _, _)? = await api.get("/token").ended().error else { throw "it matched".asError }
        #expect(
            "\(error)" == """
                no rule matches GET https://api.example.com/token; scripted: GET https://auth.example.com/token
                  nearest rule: GET https://auth.example.com/token
                            rule                       request
                    method  GET                        GET
                    host    https://auth.example.com ≠ https://api.example.com
                    path    /token                     /token
                """
        )
    }
}
