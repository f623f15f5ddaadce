import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Which header fields leave the base URL's origin: those that are known to be harmless, and those that the caller
/// names.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharedFieldTests {
    /// Fields with keys whose names do not show it.
    private static let keys = [
        "X-Functions-Key", "X-App-Key", "X-Master-Key", "X-Bearer", "X-OTP", "Authentication", "X-Plain", "Referer",
    ]

    private static let harmless: HTTPHeaders = [
        "Accept": "text/plain", "Accept-Language": "de", "User-Agent": "mine/1", "Range": "bytes=0-1",
        "If-Range": "\"a\"", "If-None-Match": "\"b\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
        "Cache-Control": "no-cache", "Content-Language": "en", "Idempotency-Key": "7",
    ]

    private func client(
        _ server: RawServer,
        _ engine: Engine,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) throws -> SimpleNetworking {
        let client = try engine.client(server) { configuration in
            configuration.middleware = [Keyed()]
            configure(&configuration)
        }
        for key in Self.keys { client.headers[key] = "kept-home" }
        client.headers.merge(Self.harmless)
        return client
    }

    @Test(arguments: ["", "X Key", "X-Key: 7", "X-K\u{E9}y", "a\r\nb"])
    func aNameThatNoFieldCanHaveEndsEachRequest(name: String) async throws {
        let server = StubTransport().on("*", .json("{}"))
        for client in [
            SimpleNetworking(over: server) { $0.secretHeaders = ["X-Ok", name] },
            SimpleNetworking(over: server) { $0.sharedHeaders = ["X-Ok", name] },
        ] {
            let error = try #require(await client.get("/x").ended().error)
            #expect("\(error)".contains("which is not a valid name of a header field"), "\(error)")
        }
        #expect(server.requests.isEmpty)
        let client = SimpleNetworking(over: server) { $0.secretHeaders = ["X-Ok"] }
        #expect(await client.get("/x").ended().value != nil)
    }

    private func check(_ seen: RawServer.Request?, _ trace: RequestTrace) throws {
        let seen = try #require(seen)
        #expect(!"\(seen.headerLines)".contains("kept-home"), "\(seen.headerLines)")
        for field in Self.harmless { #expect(seen[header: field.name] == field.value) }
        for name in Self.keys + [Keyed.name] { #expect(trace.description.contains(name), "\(name)") }
    }

    @Test(arguments: [302, 307], Engine.allCases)
    func onlyHarmlessFieldsFollowARedirect(status: Int, engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url("/there").absoluteString, status: status) }
        let request = try client(server, engine).put("/here", body: ["a": 1])
        let outcome = try await withinSeconds(120) { await request.ended() }
        #expect(outcome.value?.httpStatus == 200)
        for name in Self.keys + [Keyed.name] { #expect(server.requests.first?[header: name] == "kept-home") }
        try check(other.requests.first, request.trace)
        #expect(other.requests.first?[header: "Content-Type"] == "application/json")
    }

    @Test(arguments: Engine.allCases)
    func onlyHarmlessFieldsGoToAnAbsoluteURL(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { .echo($0) }
        let request = try client(server, engine).get(other.url("/x").absoluteString)
        await request.ended()
        try check(other.requests.first, request.trace)
        #expect(request.trace.description.contains("not sent off the base URL's origin: "))
    }

    @Test(arguments: Engine.allCases)
    func onlyHarmlessFieldsFollowAPageLink(engine: Engine) async throws {
        let other = try RawServer { _ in .json(#"{"items": [2], "next": null}"#) }
        let next = other.url("/more").absoluteString
        let server = try RawServer { _ in .json(#"{"items": [1], "next": "\#(next)"}"#) }
        let request = SimpleNetworking.get("/items").on(page: .links(), of: Int.self, at: "items") { _ in true }
        #expect(await request.execute(on: try client(server, engine)).ended().value != nil)
        try check(other.requests.first, request.trace)
    }

    @Test(arguments: Engine.allCases)
    func fieldsThatTheCallerNamesGoAlong(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url("/there").absoluteString) }
        let named = ["x-plain", "REFERER", "X-OTP", "x-app-key"]
        let request = try client(server, engine) { $0.sharedHeaders = Set(named) }.get("/here")
        await request.ended()
        let seen = try #require(other.requests.first)
        for name in named { #expect(seen[header: name] == "kept-home", "\(name)") }
        #expect(seen[header: "X-Master-Key"] == nil && seen[header: Keyed.name] == nil)
    }

    @Test
    func secretFieldsAreNotSharedEvenIfNamed() async throws {
        let server = StubTransport().on("*", .text("ok"))
        let names = ["Authorization", "Cookie", "X-Api-Key", "X-Special", "Accept-Language", "X-Mine"]
        let client = SimpleNetworking(over: server) {
            $0.secretHeaders = ["X-Special", "accept-language"]
            $0.sharedHeaders = Set(names + ["X-Plain"])
            for name in names + ["X-Plain"] { $0.defaultHeaders[name] = "kept-home" }
        }
        let request = client.get("https://other.example.com/x") { $0.header("X-Mine", "kept-home", isSecret: true) }
        await request.ended()
        let sent = try #require(server.requests.first).headers
        for name in names { #expect(!sent.contains(name)) }
        #expect(sent["X-Plain"] == "kept-home")
    }

    @Test(arguments: Engine.allCases)
    func fieldsOfASessionAreNotSentToAnotherOrigin(engine: Engine) async throws {
        let other = try RawServer { .echo($0) }
        let server = try RawServer { _ in .redirect(to: other.url("/there").absoluteString) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [
            "X-App-Key": "kept-home", "Authorization": "kept-home", "Accept-Language": "de",
        ]
        let transport = Engine.sessions.contains(engine) ? try engine.transport(configuration: configuration) : nil
        let client = SimpleNetworking(baseURL: server.url()) {
            if transport == nil { $0.sessionConfiguration = configuration }
            $0.transport = transport
        }
        await client.get("/here").ended()
        #expect(server.requests.first?[header: "X-App-Key"] == "kept-home")
        let seen = try #require(other.requests.first)
        #expect(!"\(seen.headerLines)".contains("kept-home"), "\(seen.headerLines)")
        #expect(seen[header: "Accept-Language"] == "de")
    }

    @Test
    func fieldsThatAMiddlewareAddsGoToTrustedOriginsOnly() async throws {
        let server = StubTransport().on("*", .text("ok"))
        let client = SimpleNetworking(over: server) {
            $0.middleware = [Keyed()]
            $0.trustedOrigins = Set([Origin("https://files.example.com")].compactMap(\.self))
        }
        for address in ["/x", "https://files.example.com/x", "https://other.example.com/x"] {
            await client.get(address).ended()
        }
        #expect(server.requests.map { $0.headers[Keyed.name] } == ["kept-home", "kept-home", nil])
    }

    @Test
    func aMiddlewareThatChangesTheOriginTakesNothingElseAlong() async throws {
        let server = StubTransport().on("*", .text("ok"))
        let client = SimpleNetworking(over: server) {
            $0.middleware = [Elsewhere()]
            $0.defaultHeaders = ["X-App-Key": "kept-home", "Authorization": "kept-home", "Accept-Language": "de"]
        }
        let request = client.get("/x")
        await request.ended()
        let sent = try #require(server.requests.first)
        #expect(sent.url.host == "other.example.com" && sent.headers["Accept-Language"] == "de")
        #expect(!sent.headers.contains { $0.value == "kept-home" })
        #expect(request.trace.description.contains("X-App-Key, Authorization"))
    }
}

private struct Keyed: Middleware {
    static let name = "X-Gateway-Proof"

    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var sent = request
        sent.headers[Self.name] = "kept-home"
        return try await next(sent)
    }
}

private struct Elsewhere: Middleware {
    func intercept(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var sent = request
        sent.url = try #require(URL(string: "https://other.example.com/y"))
        return try await next(sent)
    }
}
