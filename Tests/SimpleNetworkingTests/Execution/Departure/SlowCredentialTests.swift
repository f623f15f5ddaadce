import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Credentials that take their time, and that count what they sign.
@Suite(.timeLimit(.minutes(5)))
struct SlowCredentialTests {
    /// Fetches its token once for everyone.
    private actor Fetching: Authenticator {
        private var fetch: Task<String, any Error>?
        private let load: @Sendable () async throws -> String

        init(_ load: @escaping @Sendable () async throws -> String) { self.load = load }

        func token() async throws -> String {
            if let fetch { return try await fetch.value }
            let load = load
            let fetch = Task { try await load() }
            self.fetch = fetch
            return try await fetch.value
        }

        func credential() async throws -> String? { try await token() }
        nonisolated func sign(_ request: inout TransportRequest, with credential: String) {
            request.headers["Authorization"] = "Bearer \(credential)"
        }
    }

    private final class Weak: Sendable {
        let client = Locked<SimpleNetworking?>(nil)
    }

    private static func fetch(over holder: Weak) -> @Sendable () async throws -> String {
        {
            guard let client = holder.client.withLock({ $0 }) else { throw Surprise("no client") }
            let response = try await client.send(SimpleNetworking.post("/token").unauthenticated())
            return response.text ?? ""
        }
    }

    /// One token for all, which is fetched through the client whose slots the requests have.
    @Test(arguments: ["credential", "app"])
    func aTokenThatTheFirstRequestFetchesBlocksNoSlot(way: String) async throws {
        let server = StubTransport().on(.post, "/token", .text("t1")).on("/{n}", .json("{}"))
        let holder = Weak()
        let authenticator = Fetching(Self.fetch(over: holder))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = authenticator
            $0.traffic.inFlight = 2
        }
        _ = holder.client.exchange(client)
        // The app itself asks for the token, too.
        let app = way == "app" ? Task { try await authenticator.token() } : nil
        let requests = (0..<10).map { client.get("/\($0)") }
        for request in requests { #expect(await request.ended(timeout: 60).value != nil) }
        _ = try await app?.value
        #expect(server.requests(to: "/token").count == 1)
        _ = holder.client.exchange(nil)
    }

    /// A nonce's count must not skip a number (RFC 7616 §3.4).
    @Test
    func aRequestThatWaitsForItsTurnIsSignedOnce() async throws {
        struct Counting: Authenticator {
            let count = Locked(0)

            func credential() async throws -> String? { "key" }
            func sign(_ request: inout TransportRequest, with credential: String) {
                request.headers["Authorization"] = "\(credential) \(count.next())"
            }
        }
        let held = Gate()
        let server = StubTransport().on("/held", .json("{}").after(held)).on("/x", .json("{}"))
        let client = SimpleNetworking(over: server) {
            $0.authenticator = Counting()
            $0.traffic.inFlight = 1
        }
        let other = client.get("/held")
        await held.arrivals(1)
        let request = client.get("/x")
        try await eventually { request.trace.description.contains("waits for its turn") }
        held.open()
        await other.ended()
        #expect(await request.ended().value != nil)
        let counts = server.requests.compactMap { $0.headers["Authorization"]?.split(separator: " ").last }
        #expect(counts == ["1", "2"])
    }
}
