import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCore

/// Many requests at once through few places, with refused tokens and cancellations between.
@Suite(.timeLimit(.minutes(30)))
struct TrafficStormTests {
    @Test(arguments: RefreshWay.allCases)
    func neverMoreThanSixAreInFlightAndEachEndsOnce(way: RefreshWay) async throws {
        let count = Storm.size(1000, full: 10_000)
        // More than three refreshes a minute, whose requests were cancelled, would end others with 401.
        let server = CountingServer(TokenServer(), changingAfter: count / 2)
        let client = way.client(server) { $0.traffic.inFlight = 6 }
        let ends = Recorder<Int>()
        let requests = (0..<count).map { number in
            client.get("/x\(number)") { request in
                request.priority(RequestPriority.allCases[number % 3])
                    .on(isolation: nil, completion: { _ in ends.add(number) })
            }
        }
        for (number, request) in requests.enumerated() where number % 2 == 0 { request.cancel() }
        for (number, request) in requests.enumerated() {
            let ended = await request.ended()
            let isRight =
                number % 2 == 0 ? ended.value != nil || ended.error?.isCancellation == true : ended.value != nil
            guard isRight else {
                Issue.record("\(request.trace)")
                return
            }
        }
        try await eventually { ends.elements.count == count }
        #expect(Set(ends.elements).count == count)
        #expect(server.most <= 6)
        #expect(client.isIdle)
    }
}

/// Counts the requests in flight, refreshes apart, and takes another token now and then.
private final class CountingServer: Transport {
    private struct State {
        var inFlight = 0
        var most = 0
        var count = 0
    }

    private let server: TokenServer
    private let interval: Int
    private let state = Locked(State())

    init(_ server: TokenServer, changingAfter interval: Int) {
        self.server = server
        self.interval = interval
    }

    var most: Int { state.withLock(\.most) }

    /// Otherwise, a cancelled request would not be waited for, and another one sent while this server is still busy with it.
    var enforcesTimeouts: Bool { true }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        if request.url.path == "/auth" { return try await server.send(request) }
        let count = state.withLock { state in
            state.inFlight += 1
            state.most = max(state.most, state.inFlight)
            state.count += 1
            return state.count
        }
        defer { state.withLock { $0.inFlight -= 1 } }
        if count % interval == 0 { server.changeToken(to: "t\(count)") }
        await Task.yield()
        return try await server.send(request)
    }
}
