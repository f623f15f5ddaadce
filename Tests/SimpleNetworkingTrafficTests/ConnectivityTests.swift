import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

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

    /// All attempts of a retry policy share the minute.
    @Test(arguments: [1, 3, 10])
    func aRetryPolicyDoesNotBeginTheMinuteAgain(attempts: Int) async throws {
        server.on("*", .failure(NetworkFailure(.cannotConnect)))
        let request = client().get("/x") { $0.retry(RetryPolicy(attempts: attempts)) }
        let (end, _) = await clock.advancing(to: .traffic) { await request.ended() }
        guard case .networkingError? = end.error else { throw Surprise("another end") }
        #expect((40...60).contains(clock.now))
        #expect(clock.alarms(for: .retry).isEmpty)
    }

    /// A client that asks for another attempt, and a handler that does, have what is left of the minute.
    @Test(arguments: [false, true])
    func aRetryByTheUsersCodeDoesNotBeginTheMinuteAgain(isByHandler: Bool) async throws {
        server.on("*", .failure(NetworkFailure(.cannotConnect)))
        let client = AskingClient(over: server, clock: clock) { $0.traffic.waitsForConnectivity = true }
        client.retries.withLock { $0 = !isByHandler }
        let request = SimpleNetworking.get("/x")
        if isByHandler {
            request.on(
                isolation: nil,
                noResponse: { request, _ in
                    request.retry()
                    return false
                }
            )
        }
        request.execute(on: client)
        let (end, _) = await clock.advancing(to: .traffic) { await request.ended() }
        guard case .networkingError? = end.error else { throw Surprise("another end") }
        #expect(clock.now <= 60)
    }

    private final class AskingClient: SimpleNetworking, @unchecked Sendable {
        let retries = Locked(false)

        override func shouldRetry(
            _ request: SimpleRequest,
            error: SimpleNetworkingError,
            attempt: Int
        ) async throws -> Bool { retries.withLock { $0 } }
    }

    /// The connection was made in between.
    @Test(arguments: [StubResponse.status(503), .failure(NetworkFailure(.connectionLost))])
    func aConnectionThatIsLostLaterBeginsTheMinuteAgain(between: StubResponse) async throws {
        let isBack = Locked(false)
        let offline = StubResponse.failure(NetworkFailure(.offline))
        server.on("/x") { [clock] _ in
            if clock.now > 30, !isBack.exchange(true) { return between }
            return clock.now > 75 ? .json("{}") : offline
        }
        let policy = RetryPolicy(attempts: 2, backoff: .constant(0))
        let request = client().get("/x") { $0.retry(policy) }
        let (end, _) = await clock.advancing(to: .traffic) { await request.ended() }
        #expect(end.value != nil)
        #expect(clock.now > 75)
    }

    /// Each page, and each hop of a redirect, may wait for a minute.
    @Test
    func anotherHopBeginsTheMinuteAgain() async throws {
        server.on("/x") { [clock] _ in clock.now > 40 ? .redirect(to: "/y") : .failure(NetworkFailure(.offline)) }
        server.on("/y") { [clock] _ in clock.now > 90 ? .json("{}") : .failure(NetworkFailure(.offline)) }
        let request = client().get("/x")
        let (end, _) = await clock.advancing(to: .traffic) { await request.ended() }
        #expect(end.value != nil)
        #expect(clock.now > 90)
    }

    @Test
    func theTimeOfASuspensionDoesNotCount() async throws {
        server.on("*", .failure(NetworkFailure(.offline)))
        let request = client().get("/x") { $0.retry(RetryPolicy(attempts: 3)) }
        await clock.alarms(1, for: .traffic)
        request.suspend()
        try await clock.advance(to: .traffic)
        // It is resumed only after it has noticed that it is suspended.
        for _ in 0..<100 {
            for _ in 0..<50 { await Task.yield() }
            clock.advance(by: 1)
        }
        request.resume()
        let (end, _) = await clock.advancing(to: .traffic) { await request.ended() }
        guard case .networkingError? = end.error else { throw Surprise("another end") }
        #expect((140...161).contains(clock.now))
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
