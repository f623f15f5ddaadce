import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingTesting
import Testing

/// Lets a request end in each way, and compares what its error says with the article “Errors”.
@Suite(.timeLimit(.minutes(5)))
struct ErrorTextTests {
    /// A way for a request to `/user` to end.
    struct End: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (StubTransport, VirtualClock) async throws -> Result<SimpleResponse, SimpleNetworkingError>

        var testDescription: String { name }
    }

    private static func client(
        _ server: StubTransport,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> SimpleNetworking {
        SimpleNetworking(host: "api.example.com") {
            $0.transport = server
            $0.logger = .silent
            configure(&$0)
        }
    }

    /// An end that the response alone decides.
    private static func end(
        _ name: String,
        _ response: StubResponse,
        _ configure: @escaping @Sendable (inout SimpleNetworking.Configuration) -> Void = { _ in },
        _ build: @escaping @Sendable (SimpleRequest) -> SimpleRequest = { $0 }
    ) -> End {
        End(name: name) { server, _ in
            await client(server.on("/user", response), configure).get("/user", build).ended()
        }
    }

    static let ends = [
        End(name: "invalidURL") { server, _ in await client(server).get("http://").ended() },
        end("invalidRequest", .status(200)) { _ in
        } _: {
            $0.body(text: "content")
        },
        end("notCached", .status(200)) { _ in
        } _: {
            $0.cachePolicy(.onlyCached)
        },
        End(name: "recursion") { server, _ in
            server.on("*", .status(401))
            let api = SelfAsking(host: "api.example.com") { ($0.transport, $0.logger) = (server, .silent) }
            return await api.get("/user").ended()
        },
        end("networkingError", .failure(.cannotFindHost)),
        End(name: "timedOut") { server, clock in
            let request = client(server.on("/user", .silence)) { $0.clock = clock }.get("/user")
            try await clock.advance(to: .timeout)
            return await request.ended()
        },
        // A stub has no limit: that is the engine's.
        End(name: "tooLarge") { server, _ in
            let loopback = try LoopbackServer(server.on("/user", .data(Data(count: 2_000))))
            let api = SimpleNetworking(baseURL: loopback.url) { $0.maxResponseSize = 1024 }
            return await api.get("/user").ended()
        },
        end("clientError", .status(404)),
        end("serverError", .status(503)),
        end("invalidResponse", .status(304)),
        end("unacceptableContentType", .text("<html>")) { _ in
        } _: {
            $0.acceptable(types: [.json])
        },
        end("redirect", .status(302, headers: ["Location": "http://api.example.com/other"])),
        end("decoding", .json(#"{"id": "x", "name": "Ada"}"#)) { _ in
        } _: {
            $0.on(success: User.self) { _ in }
        },
        end("authentication", .status(401)) {
            $0.authenticator = BearerAuthenticator(token: Secret("old")) { _ in throw SignedOut() }
        },
        End(name: "cancelled") { server, _ in
            let request = client(server.on("/user", .silence)).get("/user")
            request.cancel()
            return await request.ended()
        },
        end("stopped", .status(404)) { _ in
        } _: {
            $0.on(httpStatus: 404) { _, _ in false }
        },
        end("abandoned", .status(401)) { _ in
        } _: {
            $0.on(httpStatus: 401) { request, _ in
                DispatchQueue.global().async { withExtendedLifetime(request) {} }
                return false
            }
        },
        end("failed", .status(404)) { _ in
        } _: {
            $0.on(httpStatus: 404) { request, _ in
                request.fail(Closed())
                return false
            }
        },
    ]

    @Test(arguments: ends)
    func theArticleHasTheTextOfTheError(end: End) async throws {
        let clock = VirtualClock()
        let outcome = try await end.run(StubTransport(clock: clock), clock)
        let error = try #require(outcome.error)
        let text = error.description.replacing(/http:\/\/127.0.0.1:\d+/, with: "https://api.example.com")
        let article = try Article("Errors").text
        #expect(Mirror(reflecting: error).children.first?.label == end.name)
        #expect(article.contains("| `\(end.name)` | \(text) |"), "\(text)")
    }

    /// Compared with the source, so that no kind is left out.
    @Test
    func theArticleListsEveryKindOfNetworkFailure() throws {
        let article = try Article("Errors").text
        let source = try Article.source("Messages/NetworkFailure.swift")
        let kinds = source.matches(of: /public static let (\w+) = Kind\(rawValue: "(.*?)"\)/)
        #expect(kinds.count >= 8)
        for kind in kinds { #expect(article.contains("| `\(kind.1)` | \(kind.2) |"), "\(kind.1)") }
    }

    @Test
    func theArticleHasEveryCase() throws {
        #expect(Set(Self.ends.map(\.name)).count == 18)
    }
}

private struct Closed: Error, CustomStringConvertible { let description = "closed" }
private struct SignedOut: Error, CustomStringConvertible { let description = "signed out" }

/// Asks for a token, and answers a refusal of that request by asking for a token.
private final class SelfAsking: SimpleNetworking, @unchecked Sendable {
    override func execute(request: SimpleRequest) {
        request.on(httpStatus: 401) { request, _ in
            Task { request.fail(await self.get("/auth").ended().error ?? .cancelled(nil)) }
            return false
        }
        super.execute(request: request)
    }
}
