import Foundation
import SimpleNetworking
import SimpleNetworkingCookies
import SimpleNetworkingTesting
import Testing

/// Runs the samples of the article “Cookies”.
@Suite(.timeLimit(.minutes(5)))
struct CookiesSamples: Sample {
    let server = StubTransport()
    let printed = Recorder<String>()

    @Test
    func aJarKeepsCookies() async throws {
        // A client with a stub in place of the network.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        func SimpleNetworking(
            host: String,
            configure: (inout Client.Configuration) -> Void
        ) -> Client {
            client(configure)
        }
        server.on("/login", .status(204, headers: ["Set-Cookie": "session=7; Secure; HttpOnly; Path=/"]))
            .on("/account", .status(204))

        let jar = CookieJar()
        let api = SimpleNetworking(host: "api.example.com") { $0.cookieJar = jar }
        try await api.send(.post("/login"))
        try await api.send(.get("/account"))
        let url = api.baseURL.appendingPathComponent("account")
        print(jar.cookies(for: url).map(\.name))
        jar.removeAll()

        #expect(printed.elements == [#"["session"]"#])
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "session=7"])
        #expect(jar.cookies(for: url).isEmpty)
    }

    private typealias Client = SimpleNetworking

    @Test
    func cookiesAreGivenToAnotherJar() throws {
        let (api, jar) = (client(), CookieJar())
        jar.store(["Set-Cookie": "session=7; Secure; Path=/"], from: api.baseURL)

        let saved = jar.cookies(for: api.baseURL).map { "\($0.name)=\($0.value); Secure; Path=\($0.path)" }
        let restored = CookieJar()
        restored.store(HTTPHeaders(fields: saved.map { .init("Set-Cookie", $0) }), from: api.baseURL)

        #expect(restored.cookies(for: api.baseURL).map(\.value) == ["7"])
    }
}
