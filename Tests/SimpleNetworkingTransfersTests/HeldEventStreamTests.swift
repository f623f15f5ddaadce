import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTransfers

/// Event streams whose request is cancelled or suspended by the code that has made it.
@Suite(.timeLimit(.minutes(5)))
struct HeldEventStreamTests {
    private let server = StubTransport()
    private let clock = VirtualClock()

    private func events(
        for request: SimpleRequest,
        reconnects: Bool = true,
        _ received: Recorder<String> = Recorder()
    ) -> Task<Void, any Error> {
        let client = SimpleNetworking(over: server, clock: clock)
        return Task {
            for try await event in client.events(for: request, reconnects: reconnects) { received.add(event.data) }
        }
    }

    @Test(arguments: [false, true])
    func cancellingTheRequestEndsItsStream(reconnects: Bool) async throws {
        let forever = Gate()
        server.on("/e", .events("1").after(forever))
        let request = SimpleNetworking.get("/e")
        let stream = events(for: request, reconnects: reconnects)
        await forever.arrivals(1)
        #expect(request.trace.attempts == 1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await stream.value }
    }

    @Test
    func cancellingTheRequestEndsTheWaitForTheNextConnection() async throws {
        server.on("/e", .events("1"))
        let request = SimpleNetworking.get("/e")
        let stream = events(for: request)
        await clock.alarms(1, for: .retry)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await stream.value }
        #expect(server.requests.count == 1)
    }

    @Test
    func aStreamThatBeginsAfterTheCancellationIsOpened() async throws {
        server.on("/e", .status(204))
        let request = SimpleNetworking.get("/e")
        request.cancel()
        await #expect(throws: CancellationError.self) { try await events(for: request).value }
        #expect(server.requests.isEmpty)
        try await events(for: request).value
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [false, true])
    func aSuspendedRequestOpensNoStream(reconnects: Bool) async throws {
        server.on("/e", .events("1"), times: 1).on("/e", .status(204))
        let request = SimpleNetworking.get("/e")
        request.suspend()
        let received = Recorder<String>()
        let stream = events(for: request, reconnects: reconnects, received)
        try await eventually { request.trace.description.contains("suspended") }
        // What isn't suspended passes all the same.
        #expect(await SimpleNetworking(over: server).get("/e").ended().value != nil)
        #expect(server.requests.count == 1)
        request.resume()
        if reconnects { try await stream.value } else { _ = try await stream.value }
        #expect(server.requests.count == 2)
    }

    @Test
    func aRequestThatIsSuspendedBetweenTwoConnectionsOpensNoOther() async throws {
        server.on("/e", .events("1"), times: 1).on("/e", .status(204)).on("/other", .json("{}"))
        let request = SimpleNetworking.get("/e")
        let stream = events(for: request)
        await clock.alarms(1, for: .retry)
        request.suspend()
        clock.advance(by: 60)
        try await eventually { request.trace.description.contains("suspended") }
        #expect(server.requests.count == 1)
        request.resume()
        try await stream.value
        #expect(server.requests.count == 2)
    }
}
