import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworkingCore

/// Hedges together with what makes a request begin again or go on elsewhere.
@Suite(.timeLimit(.minutes(1)))
struct HedgedSecondRequestTests {
    typealias Cause = SecondRequest.Cause

    private let server = StubTransport()
    private let clock = VirtualClock()

    private func client(_ cause: Cause, _ refreshes: Recorder<String>) -> SimpleNetworking {
        SimpleNetworking(over: server, through: [Hedging(after: 1, share: 1)], clock: clock) { configuration in
            guard cause == .refresh else { return }
            configuration.authenticator = BearerAuthenticator(token: Secret("old")) { _ in
                refreshes.add("refresh")
                return Secret("new")
            }
        }
    }

    /// The response that a hedge gets leads on as if there had been one request.
    @Test(arguments: [.retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .page] as [Cause])
    func theResponseToAHedgeLeadsOnOnce(cause: Cause) async throws {
        let refreshes = Recorder<String>()
        server.on("/way", .silence, times: 1).on("/way", cause.first, times: 1)
            .on("*") { cause.last(for: $0) }
        let client = client(cause, refreshes)
        let request = cause.request(.get, on: client, to: client.baseURL).execute(on: client)
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value != nil)
        #expect(server.requests.count == 3)
        #expect(refreshes.elements.count == (cause == .refresh ? 1 : 0))
    }

    /// What follows may stall, too.
    @Test(arguments: [.retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .page] as [Cause])
    func whatFollowsIsHedgedAsItWasSent(cause: Cause) async throws {
        server.on("/way", cause.first, times: 1).on("*", .silence, times: 1)
            .on("*") { cause.last(for: $0) }
        let client = client(cause, Recorder())
        let request = cause.request(.get, on: client, to: client.baseURL).execute(on: client)
        try await server.receives(2)
        try await clock.advance(to: .hedge)
        #expect(await request.ended().value != nil)
        let sent = server.requests
        #expect(sent.count == 3)
        // Redirects are followed below hedges, so a hedge begins at the first URL.
        #expect(sent[2].url == sent[cause == .redirect ? 0 : 1].url)
        #expect(sent[2].headers["Authorization"] == sent[1].headers["Authorization"])
        #expect(sent[1].headers["Authorization"] == (cause == .refresh ? "Bearer new" : nil))
    }

    @Test(arguments: [.eventStream, .upload] as [Cause])
    func streamsAndUploadsAreSentOnce(cause: Cause) async throws {
        let gate = Gate()
        server.on("/way", .pieces("data: a\n\n", type: "text/event-stream").after(gate))
        let client = client(cause, Recorder())
        let end = Task { () -> Int in
            if cause == .eventStream {
                return try await client.events(for: SimpleNetworking.get("/way")).reduce(0) { count, _ in count + 1 }
            }
            return try await client.send(cause.request(.post, on: client, to: client.baseURL)).httpStatus
        }
        await gate.arrivals(1)
        clock.advance(by: 30)
        for _ in 0..<200 { await Task.yield() }
        gate.open()
        _ = try await end.value
        #expect(server.requests.count == 1)
    }
}
