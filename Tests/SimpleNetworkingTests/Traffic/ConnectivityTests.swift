import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// Requests that wait until a connection can be made.
@Suite(.timeLimit(.minutes(5)))
struct ConnectivityTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(waits: Bool = true) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) { $0.traffic.waitsForConnectivity = waits }
    }

    /// No call told that a request went on (Alamofire #2227), and it failed after a timeout (vienna-rss #2006).
    @Test(arguments: [NetworkFailure.Kind.offline, .cannotConnect, .cannotFindHost], [HTTPMethod.get, .post])
    func aRequestGoesOnWhenAConnectionCanBeMade(kind: NetworkFailure.Kind, method: HTTPMethod) async throws {
        server.on("*", .failure(NetworkFailure(kind)), times: 3).on("*", .json("{}"))
        let client = client()
        let request = method == .get ? client.get("/x") : client.post("/x")
        for _ in 0..<3 { try await clock.advance(to: .traffic) }
        #expect(await request.ended().value != nil)
        #expect(request.attempt == 1)
        #expect(request.trace.description.contains("waits for a connection"))
        #expect(request.trace.description.contains("goes on after"))
    }

    @Test(arguments: [NetworkFailure.Kind.connectionLost, .tls])
    func otherFailuresEndAtOnce(kind: NetworkFailure.Kind) async throws {
        server.on("*", .failure(NetworkFailure(kind)))
        guard case .networkingError? = await client().get("/x").ended().error else { throw Surprise("another end") }
        #expect(server.requests.count == 1)
    }

    @Test
    func withoutADeadlineItFailsAfterAMinute() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        let request = client().get("/x")
        try await clock.advance(to: .traffic, until: { request.trace.end != nil }, orAt: 120)
        guard case .networkingError? = await request.ended().error else { throw Surprise("another end") }
        #expect((40...60).contains(clock.now))
    }

    @Test
    func itWaitsNoLongerThanItsDeadline() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        let request = client().get("/x") { $0.deadline(1000) }
        try await clock.advance(to: .traffic, until: { request.trace.end != nil }, orAt: 2000)
        #expect(await request.ended().error != nil)
        #expect((980...1000).contains(clock.now))
    }

    @Test
    func cancellingEndsTheWait() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        let request = client().get("/x")
        await clock.alarms(1, for: .traffic)
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        #expect(server.requests.count == 1)
    }

    @Test
    func byDefaultARequestFailsAtOnce() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        guard case .networkingError? = await client(waits: false).get("/x").ended().error else {
            throw Surprise("another end")
        }
    }

    @Test
    func overARealSocketItGoesOnWhenAServerListens() async throws {
        // Bound, but nobody listens yet.
        let (listener, port) = try Socket.bound()
        let client = SimpleNetworking(baseURL: try #require(URL(string: "http://127.0.0.1:\(port)"))) {
            $0.logger = .quiet
            $0.traffic.waitsForConnectivity = true
        }
        let request = client.get("/x")
        try await eventually { request.trace.description.contains("waits for a connection") }
        listen(listener, 8)
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var head = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &head, head.count)
            let reply = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
            _ = write(connection, reply, reply.count)
            close(connection)
            close(listener)
        }
        #expect(await request.ended().value?.text == "{}")
    }
}
