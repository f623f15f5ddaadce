import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What is done when a head arrives, and what only after the verdict.
@Suite(.timeLimit(.minutes(5)))
struct HeadAndCommitTests {
    private let clock = VirtualClock()

    @Test
    func theCookiesOfAStreamAreStoredWhileItIsOpen() async throws {
        let forever = Gate()
        let server = StubTransport()
            .on("/news", .events("one", .gate(forever), headers: ["Set-Cookie": "sid=new; Path=/"]))
        let jar = CookieJar()
        let client = SimpleNetworking(over: server) { $0.cookieJar = jar }
        for try await event in client.events(for: SimpleNetworking.get("/news")) {
            #expect(event.data == "one")
            #expect(jar.cookies(for: client.baseURL).map(\.pair) == ["sid=new"])
            break
        }
    }

    /// At its end, they would replace those of later responses.
    @Test
    func theCookiesOfADownloadAreStoredAtItsBeginningAndNotAgain() async throws {
        let forever = Gate()
        let server = StubTransport()
            .on("/film", .pieces("abc", .gate(forever), headers: ["Set-Cookie": "sid=film; Path=/"]))
            .on("/x", .json("{}", headers: ["Set-Cookie": "sid=x; Path=/"]))
        let jar = CookieJar()
        let client = SimpleNetworking(over: server) { $0.cookieJar = jar }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("film-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let film = client.get("/film") { $0.download(to: file) }
        await forever.arrivals(1)
        #expect(jar.cookies(for: client.baseURL).map(\.pair) == ["sid=film"])
        await client.get("/x").ended()
        forever.open()
        #expect(await film.ended().value != nil)
        #expect(jar.cookies(for: client.baseURL).map(\.pair) == ["sid=x"])
    }

    @Test
    func theCookiesOfARevalidationInTheBackgroundAreStored() async throws {
        let server = StubTransport()
            .on(
                "/news",
                .text("one", headers: ["Cache-Control": "max-age=1, stale-while-revalidate=60", "Age": "9"]),
                times: 1
            )
            .on("/news", .text("two", headers: ["Set-Cookie": "sid=rotated; Path=/"]))
        let jar = CookieJar()
        let api = SimpleNetworking(over: server) {
            $0.cookieJar = jar
            $0.cache = ResponseCache()
        }
        #expect(await api.get("/news").ended().value?.text == "one")
        #expect(await api.get("/news").ended().value?.text == "one")
        try await eventually { jar.cookies(for: api.baseURL).map(\.pair) == ["sid=rotated"] }
    }

    /// A server's word that came to a request which didn't wait for its turn.
    @Test
    func whatAServerSaysToTheRequestOfAHandlerCountsForAll() async throws {
        let server = StubTransport()
            .on("/user", .status(404)).on("/fallback", .status(429, headers: ["Retry-After": "30"]))
            .on("*", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.respectsRateLimits = true }
        let user = client.get("/user") { request in
            request.on(httpStatus: 404) { request, _ in
                client.get("/fallback") { $0.on(error: { request.fail($0) }) }
                return false
            }
        }
        #expect(await user.ended().error?.httpStatus == 429)
        let next = client.get("/x")
        await clock.alarms(1, for: .traffic)
        #expect(server.requests(to: "/x").isEmpty)
        clock.advance(by: 30)
        #expect(await next.ended().value != nil)
    }

    /// An API that answers 200 with an error's code, as some do.
    private struct Coded: Authenticator {
        let token = Locked("0")

        func credential() async throws -> String? { token.withLock { $0 } }
        func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = "Bearer \(credential)"
        }
        func isRefusal(_ response: TransportResponse) -> Bool { response.data == Data("40001".utf8) }
        func refresh(_ credential: String) async throws -> String {
            token.withLock { token in
                token = "1"
                return token
            }
        }
        func identity(of credential: String) -> String { "ada" }
    }

    @Test
    func aResponseThatRejectsTheCredentialIsNotStored() async {
        let server = StubTransport()
            .on("/user") { request in
                let text = request.headers["Authorization"] == "Bearer 0" ? "40001" : "Ada"
                return .text(text, headers: ["Cache-Control": "private, max-age=60"])
            }
        let client = SimpleNetworking(over: server) {
            $0.cache = ResponseCache()
            $0.authenticator = Coded()
        }
        #expect(await client.get("/user").ended().value?.text == "Ada")
        #expect(await client.get("/user").ended().value?.text == "Ada")
        #expect(server.requests.count == 2)
    }

    private final class Checked: SimpleNetworking, @unchecked Sendable {
        struct Rejected: Error {}

        override func validate(_ response: SimpleResponse) throws {
            try super.validate(response)
            if response.headers["X-Error"] != nil { throw Rejected() }
        }
    }

    @Test
    func aResponseThatASubclassRejectsIsNotStored() async {
        let server = StubTransport()
            .on("/x", .text("error", headers: ["Cache-Control": "max-age=60", "X-Error": "1"]), times: 1)
            .on("/x", .text("good", headers: ["Cache-Control": "max-age=60"]))
        let client = Checked(over: server) { $0.cache = ResponseCache() }
        #expect(await client.get("/x").ended().value == nil)
        #expect(await client.get("/x").ended().value?.text == "good")
    }

    /// A resource that rejects every credential causes one refresh a minute, whatever the cache says in between.
    @Test
    func aStoredResponseAcceptsNoCredential() async {
        let count = Locked(0)
        let server = StubTransport()
            .on("/r", .text("stored", headers: ["Cache-Control": "max-age=600"]), times: 1).on("/r", .status(401))
        let bearer = BearerAuthenticator(token: Secret("0")) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Secret("\(number)")
        }
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.cache = ResponseCache()
            $0.authenticator = bearer
        }
        await client.get("/r").ended()
        for _ in 0..<5 {
            await client.get("/r") { $0.cachePolicy(.reload) }.ended()
            #expect(await client.get("/r").ended().value?.text == "stored")
        }
        #expect(count.withLock { $0 } == 1)
    }
}
