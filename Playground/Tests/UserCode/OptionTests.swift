import SimpleNetworking
import SimpleNetworkingTesting
import Testing

/// Options that a user's module adds to clients and requests.
@Suite
struct OptionTests {
    @Test
    func middlewareReadsTheOptionOfARequestOrItsClient() async throws {
        let server = StubTransport().on("*", .json("{}"))
        let api = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.logger) = (server, .silent)
            $0.language = "fr"
            $0.middleware = [LanguageField()]
        }
        _ = try await api.send(SimpleNetworking.get("/news"))
        _ = try await api.send(SimpleNetworking.get("/news").language("de"))
        #expect(server.requests.map { $0.headers["Accept-Language"] } == ["fr", "de"])
    }

    @Test
    func handlersReadTheOptionOfTheirRequest() async {
        let api = SimpleNetworking(host: "api.example.com") {
            $0.transport = StubTransport().on("*", .status(404))
            $0.logger = .silent
        }
        var language: String?
        await api.get("/news") { made in
            made.language("de").on(httpStatus: 404) { request, _ in
                language = request[Language.self]
                return true
            }
        }.ended()
        #expect(language == "de")
    }
}

private enum Language: OptionKey {
    static let defaultValue: String? = nil
}

extension SimpleNetworking.Configuration {
    fileprivate var language: String? {
        get { self[Language.self] }
        set { self[Language.self] = newValue }
    }
}

extension SimpleRequest {
    fileprivate func language(_ language: String) -> Self { option(Language.self, language) }
}

private struct LanguageField: Middleware {
    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var request = request
        request.headers["Accept-Language"] = request[Language.self]
        return try await next(request)
    }
}
