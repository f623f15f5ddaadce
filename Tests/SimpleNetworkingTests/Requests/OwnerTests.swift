import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// Handlers that are bound to an object, which may be released.
@Suite(.timeLimit(.minutes(5)))
struct OwnerTests {
    private final class Screen: Sendable {}
    private struct User: Codable { var name: String }

    private let server = StubTransport()
    private let calls = Recorder<String>()
    private let clock = VirtualClock()
    private let client: SimpleNetworking

    init() {
        client = SimpleNetworking(over: server, clock: clock)
    }

    @Test
    func handlersOfReleasedOwnersAreSkipped() async throws {
        let gate = Gate()
        server.on("/x", .json(#"{"name": "Ada"}"#, status: 200).after(gate))
        let stays = Screen()
        var goes: Screen? = Screen()
        let request = client.get("/x") {
            $0.on(success: { _ in calls.add("gone") }, owner: goes)
                .on(success: User.self, { _ in calls.add("gone value") }, owner: goes)
                .on(
                    httpStatus: 200,
                    { _, _ in
                        calls.add("gone status")
                        return true
                    },
                    owner: goes
                )
                .on(completion: { _ in calls.add("gone end") }, owner: goes)
                .on(success: { _ in calls.add("there") }, owner: stays)
                .on(success: User.self, { calls.add($0.name) }, owner: stays)
        }
        goes = nil
        gate.open()
        await request.ended()
        #expect(calls.elements == ["there", "Ada"])
        withExtendedLifetime(stays) {}
    }

    /// Refreshes its token, as most clients do.
    private final class Refreshing: SimpleNetworking, @unchecked Sendable {
        override func execute(request: SimpleRequest) {
            if !request.handles(httpStatus: 401) {
                request.on(httpStatus: 401, { _, _ in true }).on(completion: { _ in })
            }
            super.execute(request: request)
        }
    }

    @Test(arguments: [true, false])
    func handlersOfTheClientAloneKeepNothingGoing(hasOther: Bool) async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        let client = Refreshing(over: server, clock: clock)
        var screen: Screen? = Screen()
        let request = client.get("/x") {
            $0.on(success: { _ in }, owner: screen).on(error: { _ in }, owner: screen)
        }
        if hasOther { request.on(success: { [calls] _ in calls.add("other") }) }
        await gate.arrivals(1)
        screen = nil
        try await eventually { clock.alarms.contains(1) }
        clock.advance(by: 1)
        // Owners are looked for where their handlers run.
        if !hasOther { try await eventually { request.trace.end != nil } }
        gate.open()
        try await eventually { request.trace.events.contains { if case .ended = $0.kind { true } else { false } } }
        try await eventually { [calls] in calls.elements == (hasOther ? ["other"] : []) }
        #expect(request.trace.description.contains(hasOther ? "ended: success" : "was cancelled"))
    }

    @Test
    func valuesForReleasedOwnersNeedNotDecode() async throws {
        let gate = Gate()
        server.on("/x", .text("no JSON").after(gate))
        var goes: Screen? = Screen()
        let request = client.get("/x") {
            $0.on(success: User.self, { _ in calls.add("gone") }, owner: goes).on(success: { _ in calls.add("there") })
        }
        goes = nil
        gate.open()
        await request.ended()
        #expect(calls.elements == ["there"])
    }

    @Test
    func handlerIsSkippedWhenItsOwnerIsReleasedJustBefore() async throws {
        server.on("/x", .json("{}"))
        let owner = Locked<Screen?>(Screen())
        let queue = DispatchQueue(label: "handlers")
        let calls = calls
        let request = SimpleNetworking.get("/x").callbackQueue(queue)
        request.on(isolation: nil, completion: { _ in calls.add("gone") }, owner: owner.withLock { $0 })
        request.on(isolation: nil, success: { _ in owner.withLock { $0 = nil } })
        await request.execute(on: client).ended()
        #expect(calls.elements == [])
    }

    @Test
    func requestIsCancelledWithinASecondWhenAllOwnersAreReleased() async throws {
        server.on("/x", .silence)
        var goes: Screen? = Screen()
        let request = client.get("/x") {
            $0.on(success: { _ in }, owner: goes).on(error: { _ in calls.add("gone") }, owner: goes)
        }
        #expect(clock.alarms.first == 1)
        clock.advance(by: 1)
        #expect(request.attempt == 1)
        await clock.alarms(1, for: .owners)
        goes = nil
        clock.advance(by: 1)
        // Owners are looked for where their handlers run; an awaiting caller would keep the request running.
        try await eventually { request.trace.end != nil }
        #expect(await request.ended().error?.isCancellation == true)
        #expect(calls.elements == [])
        let clock = clock
        try await eventually { clock.alarms == [] }
    }

    @Test
    func unboundHandlerPreventsCancellation() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        var goes: Screen? = Screen()
        let request = client.get("/x") {
            $0.on(success: { _ in calls.add("gone") }, owner: goes).on(success: { _ in calls.add("there") })
        }
        goes = nil
        clock.advance(by: 5)
        gate.open()
        #expect(await request.ended().value != nil)
        #expect(calls.elements == ["there"])
    }

    @Test
    func awaitedRequestIsNotCancelledWhenAllOwnersAreReleased() async throws {
        let gate = Gate()
        server.on("/x", .json("{}").after(gate))
        let request = SimpleNetworking.get("/x")
        do {
            let goes = Screen()
            request.on(success: { _ in }, owner: goes)
        }
        let response = Task { try await client.send(request) }
        await gate.arrivals(1)
        clock.advance(by: 3)
        gate.open()
        #expect(try await response.value.httpStatus == 200)
    }
}
