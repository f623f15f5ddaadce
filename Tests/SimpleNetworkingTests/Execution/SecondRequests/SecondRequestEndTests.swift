import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import SimpleNetworkingTransfers
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// A caller whose request ends before its second request is sent, or because of the response to it.
@Suite(.timeLimit(.minutes(1)))
struct SecondRequestEndTests {
    typealias Cause = SecondRequest.Cause

    /// Lets the first response arrive although nobody waits for it any more, and checks that it is the last.
    private func expectNoMore(_ world: SecondRequest, _ caller: SecondRequest.Caller) async throws {
        world.first.open()
        world.clock.advance(by: 60)
        await world.settle()
        #expect(world.sent.count == 1)
        #expect(!caller.heard.elements.contains("success"))
        if world.cause != .eventStream { #expect(caller.heard.elements.count { $0 == "completion" } == 1) }
        #expect(try Data(contentsOf: world.file) == Data("old".utf8))
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func nothingMoreIsSentOnceItIsCancelled(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start()
        caller.request.cancel()
        #expect(await caller.ended()?.isCancellation == true)
        try await expectNoMore(world, caller)
    }

    @Test
    func aReconnectingStreamEndsWithItsRequest() async throws {
        let world = try await SecondRequest(.eventStream)
        let caller = await world.start()
        caller.request.cancel()
        await world.settle()
        #expect(world.server.waits.isEmpty)
        caller.stop()
        _ = await caller.ended()
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func nothingMoreIsSentOnceItsDeadlineHasPassed(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start { $0.deadline(0.5) }
        world.clock.advance(by: 0.5)
        guard case .timedOut(.deadline, _)? = await caller.ended() else { throw Surprise("it did not time out") }
        try await expectNoMore(world, caller)
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func nothingMoreIsSentOnceANewerRequestReplacesIt(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start { $0.replacing("key") }
        #expect(await world.client.get("/other") { $0.replacing("key") }.ended().value != nil)
        #expect(await caller.ended()?.isCancellation == true)
        try await expectNoMore(world, caller)
    }

    /// Its response is of a type that the request doesn't accept.
    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func aSecondResponseThatIsNotAcceptableEndsItAndLeavesNothing(cause: Cause) async throws {
        let html = StubResponse.pieces("<p>", type: "text/html", headers: ["Cache-Control": "max-age=60"])
        let world = try await SecondRequest(cause, last: html)
        let caller = await world.start { if cause != .eventStream { _ = $0.acceptable(types: [.json]) } }
        try await world.answer()
        if cause == .hedge { try await eventually { world.sent.count == 2 } } else { try await world.proceed() }
        let error = await caller.ended()
        switch error {
        case .unacceptableContentType? where cause != .eventStream: break
        case .failed(is StreamFailure, _, _)? where cause == .eventStream: break
        default: throw Surprise("\(String(describing: error))")
        }
        #expect(world.sent.count == world.expected)
        guard cause != .eventStream else { return }
        #expect(caller.heard.elements.filter { $0 != "completion" } == ["error"])
        #expect(try Data(contentsOf: world.file) == Data("old".utf8))
        if cause == .cache {
            // Another request may accept what was stored, and this one never does.
            let request = world.client.get("/way") { $0.cachePolicy(.onlyCached).acceptable(types: [.json]) }
            #expect(await request.ended().value == nil)
        }
    }
}
