import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What the head of a response says while its content is still to come, or never comes.
@Suite(.timeLimit(.minutes(5)))
struct StreamHeadTests {
    private let clock = VirtualClock()
    private let rest = Gate()

    /// The head of a probe closes the circuit.
    @Test
    func aBreakerKnowsByTheHeadThatAServerResponds() async throws {
        let server = StubTransport()
            .on("/x", .status(503), times: 2).on("/x", .json("{}")).on("/events", .events("one", .gate(rest)))
        let client = SimpleNetworking(over: server, clock: clock) {
            $0.middleware = [CircuitBreaker(minimumCalls: 2, openTime: 5)]
        }
        for _ in 0..<2 { await client.get("/x").ended() }
        #expect(await client.get("/x").ended().error != nil)
        clock.advance(by: 5)
        let stream = Task { await client.events(for: SimpleNetworking.get("/events")).all() }
        await rest.arrivals(1)
        #expect(await client.get("/x").ended().value != nil)
        rest.open()
        _ = await stream.value
    }

    /// The window of a limit begins when the server names it.
    @Test
    func theWordInTheHeadOfADownloadCountsFromThen() async throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let fields: HTTPHeaders = ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]
        let server = StubTransport()
            .on("/film", .pieces("one", .gate(rest), "two", headers: fields)).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server, clock: clock) { $0.traffic.respectsRateLimits = true }
        let film = client.get("/film") { $0.download(to: folder.url.appendingPathComponent("film")) }
        await rest.arrivals(1)
        let next = client.get("/x")
        await clock.alarms(1, for: .traffic)
        #expect(server.requests(to: "/x").isEmpty)
        clock.advance(by: 30)
        #expect(await next.ended().value != nil)
        rest.open()
        #expect(await film.ended().value != nil)
    }

    /// A lost POST whose outcome is asked for, with a token that has expired meanwhile.
    @Test(arguments: [nil, 503])
    func aPostThatMayHaveBeenCarriedOutIsNotBegunAgainForAnotherRequest(status: Int?) async throws {
        struct Asking: Middleware {
            func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
                if let response = try? await next(request), response.httpStatus < 500 { return response }
                var question = request
                question.method = .get
                question.body = .none
                question.url = URL(string: "https://api.example.com/outcome") ?? request.url
                return try await next(question)
            }
        }
        let server = StubTransport()
            .on(.post, "/orders", status.map { .status($0) } ?? .failure(.connectionLost))
            .on("/outcome", .status(401))
        let bearer = BearerAuthenticator(token: Secret("old")) { _ in Secret("new") }
        let client = SimpleNetworking(over: server) {
            $0.authenticator = bearer
            $0.middleware = [Asking()]
        }
        #expect(await client.post("/orders").ended().error?.httpStatus == 401)
        #expect(server.log.count { $0 == "POST /orders" } == 1)
    }
}
