import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Requests that end twice at nearly the same time: the first end counts, once.
@Suite(.timeLimit(.minutes(1)))
struct EndedPairTests {
    private struct Rejected: Error {}

    /// Does something while it prepares an attempt or validates a response.
    private final class Hooked: SimpleNetworking, @unchecked Sendable {
        let whilePreparing = Locked<(@Sendable () -> Void)?>(nil)
        let whileValidating = Locked<(@Sendable () -> Void)?>(nil)

        override func prepare(_ attempt: inout TransportRequest, for request: SimpleRequest) async throws {
            whilePreparing.withLock { $0 }?()
        }

        override func validate(_ response: SimpleResponse) throws {
            whileValidating.withLock { $0 }?()
            throw Rejected()
        }
    }

    private let server = StubTransport().on("*", .json("{}"))
    private let clock = VirtualClock()
    private let ends = Recorder<String>()

    private func request(_ change: (SimpleRequest) -> Void = { _ in }) -> SimpleRequest {
        let ends = ends
        let request = SimpleNetworking.get("/x")
            .on(success: { (_: SimpleResponse) in ends.add("success") })
            .on(error: { _ in ends.add("error") })
            .on(completion: { _ in ends.add("completion") })
        change(request)
        return request
    }

    @Test
    func aDeadlineThatPassesWhileAHookPreparesEndsItAndSendsNothing() async throws {
        let client = Hooked(over: server, clock: clock)
        _ = client.whilePreparing.exchange { [clock] in clock.advance(by: 5) }
        let request = request { $0.deadline(5) }.execute(on: client)
        guard case .timedOut(.deadline, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(ends.elements == ["error", "completion"])
        #expect(server.requests.isEmpty)
    }

    @Test
    func aDeadlineThatPassesDuringValidationIsTheEnd() async throws {
        let client = Hooked(over: server, clock: clock)
        _ = client.whileValidating.exchange { [clock] in clock.advance(by: 5) }
        let request = request { $0.deadline(5) }.execute(on: client)
        guard case .timedOut(.deadline, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(ends.elements == ["error", "completion"])
    }

    @Test
    func aCancellationDuringValidationIsTheEnd() async throws {
        let client = Hooked(over: server, clock: clock)
        let request = request()
        _ = client.whileValidating.exchange { request.cancel() }
        request.execute(on: client)
        #expect(await request.ended().error?.isCancellation == true)
        #expect(ends.elements == ["error", "completion"])
        _ = client.whileValidating.exchange(nil)
    }

    @Test(arguments: ["timeout", "deadline"])
    func whatIsCancelledDoesNotTimeOutLater(limit: String) async throws {
        let gate = Gate()
        let server = StubTransport().on("*", .json("{}").after(gate))
        let request = request { if limit == "timeout" { $0.timeout(5) } else { $0.deadline(5) } }
            .execute(on: SimpleNetworking(over: server, clock: clock))
        await gate.arrivals(1)
        request.cancel()
        clock.advance(by: 5)
        #expect(await request.ended().error?.isCancellation == true)
        #expect(ends.elements == ["error", "completion"])
        // The transfer ends a moment later.
        try await eventually { [clock] in clock.alarms == [] }
    }
}
