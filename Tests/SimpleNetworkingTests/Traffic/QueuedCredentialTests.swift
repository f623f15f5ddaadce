import Foundation
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

/// Requests whose credential becomes useless while they wait for their turn.
@Suite(.timeLimit(.minutes(5)))
struct QueuedCredentialTests {
    private let clock = VirtualClock()
    private let held = Gate()
    private let server: StubTransport

    init() {
        server = StubTransport()
            .on("/first", where: [.header("Authorization", "Bearer t0")], .status(401).after(held))
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

    @Test
    func requestsWhoseTurnComesDuringARefreshWaitForIt() async throws {
        let refresh = Gate()
        let bearer = BearerAuthenticator(token: Secret("t0")) { _ in
            try await refresh.wait()
            return Secret("t1")
        }
        let requests = try await queue(3, on: client(bearer))
        held.open()
        try await eventually {
            requests.dropFirst().allSatisfy { request in
                request.trace.events.contains { if case .refresh(.joined) = $0.kind { true } else { false } }
            }
        }
        #expect(signatures == ["Bearer t0"])
        refresh.open()
        for request in requests { #expect(await request.ended().value != nil, "\(request.trace)") }
        #expect(signatures == ["Bearer t0"] + Array(repeating: "Bearer t1", count: 4))
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
    func aRefreshThatFailsEndsTheRequestsWhoseTurnCameDuringIt() async throws {
        let refresh = Gate()
        let bearer = BearerAuthenticator(token: Secret("t0")) { _ in
            try await refresh.wait()
            throw NetworkFailure(.offline)
        }
        let client = client(bearer)
        let requests = try await queue(1, on: client)
        held.open()
        await refresh.arrivals(1)
        refresh.open()
        for request in requests { #expect(await request.ended().error != nil, "\(request.trace)") }
        #expect(client.gate.isIdle)
    }
}
