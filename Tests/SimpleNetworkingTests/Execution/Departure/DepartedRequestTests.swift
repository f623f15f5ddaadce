import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// A request that is prepared again while it waits for its turn.
@Suite(.timeLimit(.minutes(5)))
struct DepartedRequestTests {
    /// Prepares requests with the tenant of the moment.
    private final class Tenants: SimpleNetworking, @unchecked Sendable {
        let tenant = Locked("one")
        let count = Locked(0)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            count.withLock { $0 += 1 }
            let tenant = tenant.withLock { $0 }
            attempt.headers["X-Tenant"] = tenant
            if attempt.method == .post { attempt.body = .data(Data(tenant.utf8)) }
        }
    }

    private struct Passing: Middleware {
        func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
            try await next(request)
        }
    }

    private let held = Gate()
    private let folder = ScratchFolder()

    private func client(
        over server: StubTransport,
        _ configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) -> Tenants {
        _ = server.on("/held", .json("{}").after(held))
        return Tenants(over: server) {
            $0.traffic.inFlight = 1
            configure(&$0)
        }
    }

    /// Executes a request while another one has the only slot, and changes the client before it is sent.
    private func end(
        of request: SimpleRequest,
        on client: Tenants
    ) async throws -> Result<SimpleResponse, SimpleNetworkingError> {
        let other = client.get("/held")
        await held.arrivals(1)
        request.execute(on: client)
        try await eventually { request.trace.description.contains("waits for its turn") }
        _ = client.tenant.exchange("two")
        client.headers["X-App"] = "2"
        held.open()
        await other.ended()
        return await request.ended()
    }

    /// Its timeout has no limit, whatever the hook adds to it.
    @Test
    func aDownloadIsPreparedAgainToo() async throws {
        let server = StubTransport().on("/film", .text("film"))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let request = SimpleNetworking.get("/film").download(to: folder.url.appendingPathComponent("film"))
        #expect(try await end(of: request, on: client(over: server)).value?.httpStatus == 200)
        #expect(server.requests(to: "/film").map { $0.headers["X-Tenant"] } == ["two"])
    }

    /// A 307 repeats what was sent (RFC 9110 §15.4.8).
    @Test
    func itsRedirectHasTheContentThatWasSent() async throws {
        let server = StubTransport()
            .on(.post, "/a", .redirect(to: "/b", status: 307)).on(.post, "/b", .json("{}"))
        let request = SimpleNetworking.post("/a")
        #expect(try await end(of: request, on: client(over: server)).value != nil)
        let sent = server.requests.filter { $0.method == .post }
        #expect(sent.map(\.text) == ["two", "two"])
        #expect(sent.map { $0.headers["X-Tenant"] } == ["two", "two"])
    }

    @Test
    func middlewareDoesNotKeepItFromThat() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let client = client(over: server) { $0.middleware = [Passing()] }
        #expect(try await end(of: SimpleNetworking.get("/x"), on: client).value != nil)
        let sent = server.requests(to: "/x").map { [$0.headers["X-Tenant"], $0.headers["X-App"]] }
        #expect(sent == [["two", "2"]])
    }

    @Test
    func theReaderOfAStreamSeesTheRequestAsItWasSent() async throws {
        let server = StubTransport().on("/lines", .text("one\n"))
        let client = client(over: server)
        let other = client.get("/held")
        await held.arrivals(1)
        let request = SimpleNetworking.get("/lines")
        let reading = Task {
            var bytes = client.bytes(for: request).makeAsyncIterator()
            return try await bytes.head()?.request.headers["X-Tenant"]
        }
        try await eventually { request.trace.description.contains("waits for its turn") }
        _ = client.tenant.exchange("two")
        client.headers["X-App"] = "2"
        held.open()
        await other.ended()
        #expect(try await reading.value == "two")
    }

    /// Otherwise, all other requests would overtake it.
    @Test
    func aRequestThatIsPreparedAgainAndAgainKeepsItsTurn() async throws {
        let server = StubTransport().on("/x", .json("{}"))
        let waiting = Locked<SimpleRequest?>(nil)
        // Whatever overtakes it while it is prepared stays in flight until it waits again, or was sent.
        server.on("/y/{n}") { _ in
            try await eventually {
                let text = waiting.withLock { $0 }?.trace.description ?? ""
                let waits = text.components(separatedBy: "waits for its turn").count - 1
                return waits > 1 || !server.requests(to: "/x").isEmpty
            }
            return .json("{}")
        }
        // Its turn is kept for as long as preparing takes.
        let clock = VirtualClock()
        let client = client(over: server) { $0.clock = clock }
        let change = Locked(0)
        let other = client.get("/held")
        await held.arrivals(1)
        let first = client.get("/x")
        _ = waiting.exchange(first)
        try await eventually { first.trace.description.contains("waits for its turn") }
        // Of two that begin at the same time, the one that waits again would be the later one.
        clock.advance(by: 1)
        let later = (0..<20).map {
            client.get("/y/\($0)") {
                $0.on(success: { _ in
                    client.headers["X-Change"] = "\(change.next())"
                })
            }
        }
        client.headers["X-App"] = "2"
        held.open()
        await other.ended()
        #expect(await first.ended().value != nil)
        for request in later { await request.ended() }
        let order = server.log.filter { $0 != "GET /held" }
        #expect(try #require(order.firstIndex(of: "GET /x")) <= 2)
    }
}
