import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

@Suite("Every engine: cookies", .serialized, .timeLimit(.minutes(5)))
struct EngineCookieTests {
    /// The cookies that come back after a response with these fields.
    private func sent(_ engine: Engine, _ cookies: String...) async throws -> String? {
        let fields = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
        let server = try RawServer { request in
            request.path == "/set" ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n") : .response()
        }
        let client = try engine.client(server, jar: CookieJar())
        for path in ["/set", "/get"] { await client.get(path).ended() }
        return server.requests.last?[header: "Cookie"]
    }

    @Test(arguments: Engine.allCases)
    func everySetCookieFieldIsACookie(engine: Engine) async throws {
        let date = "Expires=Fri, 07 Jan 2050 08:04:19 GMT"
        let other = "expires=Friday, 07-Jan-50 08:04:19 GMT"
        let sent = try await sent(engine, "a=1; \(date)", "b=2; \(date); Path=/", "c=3; Path=/; \(other)", "d=4")
        #expect(sent == "a=1; b=2; c=3; d=4")
    }

    @Test(arguments: Engine.allCases)
    func commaWithoutSpaceDoesNotSplitCookies(engine: Engine) async throws {
        #expect(try await sent(engine, "q=x,sid=evil; Path=/") == "q=x,sid=evil")
        #expect(try await sent(engine, "q=x,sid=evil; Path=/", "b=2") == "q=x,sid=evil; b=2")
    }

    @Test(arguments: Engine.allCases)
    func commaAndSpaceWithoutANameDoesNotSplitCookies(engine: Engine) async throws {
        #expect(try await sent(engine, "q=x, y; Path=/", "b=2") == "q=x, y; b=2")
        #expect(try await sent(engine, "q=x, (y)=z; Path=/", "b=2, 3") == "q=x, (y)=z; b=2, 3")
    }

    @Test(arguments: Engine.allCases)
    func commaSpaceAndNameSplitCookiesOnlyWhereThePlatformJoinsFields(engine: Engine) async throws {
        let sent = try await sent(engine, "q=x, sid=evil; Path=/")
        #expect(sent == (engine.lacks(.cookiesWithCommas) ? "q=x; sid=evil" : "q=x, sid=evil"))
    }

    @Test(arguments: Engine.allCases)
    func pathsKeepTheirSlash(engine: Engine) async throws {
        let server = try RawServer { _ in .response(headers: ["Set-Cookie": "a=1; Path=/app/", "Set-Cookie": "b=2"]) }
        let client = try engine.client(server, jar: CookieJar())
        for path in ["/app/", "/app/", "/app/x%2Fy", "/app", "/apple"] { await client.get(path).ended() }
        let sent = server.requests.map { $0[header: "Cookie"] }
        #expect(sent == [nil, "a=1; b=2", "a=1; b=2", "b=2", "b=2"])
    }
}
