import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests whose credential becomes useless while they wait for their turn.
@Suite(.timeLimit(.minutes(5)))
struct QueuedCredentialTests {
    private let clock = VirtualClock()
    private let held = Gate()
    private let server: StubTransport

    init() {
        server = StubTransport()
            .on("/first", .json("{}").after(held))
            .on("*", where: [.header("Authorization", "Bearer t0")], .status(401))
            .on("*", .json("{}"))
    }

    private func client(_ bearer: BearerAuthenticator) -> SimpleNetworking {
        SimpleNetworking(over: server, clock: clock) {
            $0.traffic.inFlight = 1
            $0.authenticator = bearer
        }
    }

    /// Executes one request that the server holds, and others that wait for its place.
    private func queue(_ count: Int, on client: SimpleNetworking) async throws -> [SimpleRequest] {
        let first = client.get("/first")
        await held.arrivals(1)
        let others = (0..<count).map { client.get("/\($0)") }
        try await eventually { others.allSatisfy { $0.trace.description.contains("waits for its turn") } }
        return [first] + others
    }

    private var signatures: [String?] { server.requests.map { $0.headers["Authorization"] } }

    @Test(arguments: [false, true])
    func requestsWhoseTurnComesDuringARefreshWaitForIt(fails: Bool) async throws {
        let refresh = Gate()
        let isExpired = Locked(false)
        let bearer = BearerAuthenticator(
            token: Secret("t0"),
            refresh: { _ in
                try await refresh.wait()
                if fails { throw NetworkFailure(.offline) }
                return Secret("t1")
            },
            isExpired: { _ in isExpired.withLock { $0 } }
        )
        let client = client(bearer)
        let requests = try await queue(3, on: client)
        isExpired.exchange(true)
        let late = client.get("/late")
        await refresh.arrivals(1)
        isExpired.exchange(false)
        held.open()
        try await eventually {
            requests.dropFirst().allSatisfy { request in
                request.trace.events.contains { if case .refresh(.joined) = $0.kind { true } else { false } }
            }
        }
        #expect(signatures == ["Bearer t0"])
        refresh.open()
        for request in requests.dropFirst() + [late] {
            #expect((await request.ended().error != nil) == fails, "\(request.trace)")
        }
        #expect(signatures == ["Bearer t0"] + (fails ? [] : Array(repeating: "Bearer t1", count: 4)))
        #expect(client.isIdle)
    }

    @Test
    func aCredentialThatHasExpiredInTheQueueIsRefreshedAndNotSent() async throws {
        let bearer = BearerAuthenticator(
            token: Secret("t0"),
            refresh: { _ in Secret("t1") },
            isExpired: { [clock] in $0 == Secret("t0") && clock.now >= 2 }
        )
        let requests = try await queue(2, on: client(bearer))
        clock.advance(by: 3)
        held.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(signatures.filter { $0 == "Bearer t0" }.count == 1)
    }

    @Test
    func aRefreshedCredentialThatExpiresInTheQueueIsRefreshedAgain() async throws {
        let refresh = Gate()
        let number = Locked(0)
        let bearer = BearerAuthenticator(
            token: Secret("old"),
            refresh: { _ in
                let number = number.next()
                if number == 1 { try await refresh.wait() }
                return Secret("new\(number)")
            },
            isExpired: { [clock] in $0 == Secret("old") || $0 == Secret("new1") && clock.now >= 2 }
        )
        let client = client(bearer)
        let requests = (0..<2).map { _ in client.get("/first") }
        func oneSays(_ text: String) async throws {
            try await eventually { requests.contains { $0.trace.description.contains(text) } }
        }
        await refresh.arrivals(1)
        try await oneSays("waits for the refresh")
        refresh.open()
        await held.arrivals(1)
        try await oneSays("waits for its turn")
        clock.advance(by: 3)
        held.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(signatures == ["Bearer new1", "Bearer new2"])
    }

    /// As with a machine whose clock is wrong.
    @Test
    func aCredentialThatHasExpiredWhenAJoinedRefreshBringsItIsSent() async throws {
        let refresh = Gate()
        let number = Locked(0)
        let bearer = BearerAuthenticator(
            token: Secret("old"),
            refresh: { _ in
                try await refresh.wait()
                return Secret("new\(number.next())")
            },
            isExpired: { _ in true }
        )
        let client = SimpleNetworking(over: server) { $0.authenticator = bearer }
        let first = client.get("/x")
        await refresh.arrivals(1)
        let others = (0..<3).map { client.get("/\($0)") }
        try await eventually { others.allSatisfy { $0.trace.description.contains("waits for the refresh") } }
        refresh.open()
        for request in others + [first] { #expect(await request.ended().value != nil) }
        #expect(Set(signatures) == ["Bearer new1"])
        #expect(number.withLock { $0 } == 1)
    }
}
