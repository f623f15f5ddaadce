import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// A request that is sent again without `Expect`, which the server refused (RFC 9110 §10.1.1).
@Suite(.timeLimit(.minutes(5)))
struct ExpectationTests {
    private let isRefused = Gate()
    private let fields: HTTPHeaders = ["Set-Cookie": "sid=1; Path=/"]

    private var server: StubTransport {
        StubTransport()
            .on("/x", .replies(StubResponse.status(417, headers: fields).after(isRefused), .json("{}")))
    }

    private func put(over server: StubTransport, on client: SimpleNetworking) async throws -> SimpleRequest {
        let request = client.put("/x") { $0.header("Expect", "100-continue").body("content") }
        await isRefused.arrivals(1)
        return request
    }

    @Test
    func itIsNotSentForAUserWhoHasSignedOut() async throws {
        let server = server
        let client = SimpleNetworking(over: server) { $0.defaultHeaders["Authorization"] = "Bearer ada" }
        let request = try await put(over: server, on: client)
        client.signOut()
        isRefused.open()
        guard case .authentication? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(server.requests.count == 1)
    }

    @Test
    func itHasTheFieldsAndTheCookiesOfItsMoment() async throws {
        let server = server
        let client = SimpleNetworking(over: server) { $0.cookieJar = CookieJar() }
        let request = try await put(over: server, on: client)
        client.headers["X-App"] = "2"
        isRefused.open()
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["Expect"] } == ["100-continue", nil])
        #expect(server.requests.map { $0.headers["X-App"] } == [nil, "2"])
        #expect(server.requests.map { $0.headers["Cookie"] } == [nil, "sid=1"])
        #expect(request.trace.attempts == 1)
    }

    @Test
    func itIsNotSentWhileTheRequestIsSuspended() async throws {
        let server = server
        let client = SimpleNetworking(over: server)
        let request = try await put(over: server, on: client)
        request.suspend()
        isRefused.open()
        try await eventually { request.trace.description.contains("417") }
        for _ in 0..<100 { await Task.yield() }
        #expect(server.requests.count == 1)
        request.resume()
        #expect(await request.ended().value != nil)
    }

    /// The signature may cover the fields.
    @Test
    func itIsSignedAnew() async throws {
        struct Counting: Authenticator {
            let count = Locked(0)

            func credential() async throws -> String? { "key" }
            func sign(_ request: inout TransportRequest, with credential: String) {
                let expects = request.headers["Expect"] != nil
                request.headers["Authorization"] = "\(credential) \(expects)"
            }
            func refresh(_ credential: String) async throws -> String { credential }
        }
        isRefused.open()
        let server = server
        let client = SimpleNetworking(over: server) { $0.authenticator = Counting() }
        let request = client.put("/x") { $0.header("Expect", "100-continue").body("content") }
        #expect(await request.ended().value != nil)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["key true", "key false"])
    }
}
