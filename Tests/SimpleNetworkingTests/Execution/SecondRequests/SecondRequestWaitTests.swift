import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCore

/// What holds back, or ends, the second request of a caller as it does the first.
@Suite(.timeLimit(.minutes(1)))
struct SecondRequestWaitTests {
    typealias Cause = SecondRequest.Cause

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func nothingIsSentWhileTheRequestIsSuspended(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start()
        caller.request.suspend()
        try await world.answer()
        await world.settle()
        #expect(world.sent.count == 1)
        caller.request.resume()
        try await world.proceed()
        #expect(await caller.ended() == nil)
        #expect(world.sent.count == world.expected)
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func nothingIsSentForTheNextUserOfASignOut(cause: Cause) async throws {
        let isSigned = cause != .reauthentication
        let world = try await SecondRequest(cause, isSigned: isSigned)
        if !isSigned { world.client.headers["Authorization"] = "Bearer ada" }
        let caller = await world.start()
        world.bearer.token = nil
        world.client.signOut()
        world.bearer.token = Secret("bob")
        if !isSigned { world.client.headers["Authorization"] = "Bearer bob" }
        try await world.answer()
        if cause == .hedge {
            await world.settle()
            world.first.open()
        }
        if cause == .eventStream { try await world.proceed() }
        let error = await caller.ended()
        await world.settle()
        #expect(world.sent.dropFirst().allSatisfy { $0.headers["Authorization"] == nil })
        switch cause {
        // What was redirected was carried out, and a hedge is not needed.
        case .redirect, .hedge: #expect(error == nil)
        default:
            #expect(world.sent.count == 1)
            guard case .authentication(let failure)? = error else { throw Surprise("\(String(describing: error))") }
            #expect(failure.underlying as? RefreshFailure == .signedOut)
        }
        if cause == .download { #expect(try Data(contentsOf: world.file) == Data("old".utf8)) }
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itWaitsForItsTurn(cause: Cause) async throws {
        let world = try await SecondRequest(cause) { $0.traffic.inFlight = 1 }
        let caller = await world.start()
        let other = world.client.get("/held")
        try await eventually { other.trace.description.contains("waits for its turn") }
        try await world.answer()
        if cause == .hedge {
            await world.settle()
            #expect(world.sent.count == 1)
            world.first.open()
        }
        await world.held.arrivals(1)
        if cause == .eventStream { try await world.proceed() }
        await world.settle()
        #expect(world.sent.count == 1)
        world.held.open()
        #expect(await other.ended().value != nil)
        #expect(await caller.ended() == nil)
        #expect(world.sent.count == (cause == .hedge ? 1 : world.expected))
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itWaitsAsLongAsTheServerSays(cause: Cause) async throws {
        let world = try await SecondRequest(cause) { $0.traffic.respectsRateLimits = true }
        let caller = await world.start()
        #expect(await world.client.get("/limited").ended().error?.httpStatus == 429)
        try await world.answer()
        if cause == .eventStream { try await world.proceed() }
        await world.clock.alarms(1, for: .traffic)
        #expect(world.sent.count == 1)
        world.clock.advance(by: 29 - world.clock.now)
        await world.settle()
        #expect(world.sent.count == 1)
        world.clock.advance(by: 1)
        if cause != .eventStream { try await world.proceed() }
        #expect(await caller.ended() == nil)
        #expect(world.sent.count == world.expected)
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itIsRefusedByAnOpenBreaker(cause: Cause) async throws {
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 30, openTime: 5)
        let world = try await SecondRequest(cause) { $0.middleware.append(breaker) }
        let caller = await world.start()
        for _ in 0..<4 { await world.client.get("/broken").ended() }
        try await world.answer()
        switch cause {
        case .hedge:
            await world.settle()
            world.first.open()
            #expect(await caller.ended() == nil)
        case .eventStream:
            try await world.proceed()
            // The breaker says when it may be asked again.
            await world.clock.alarms(1, for: .retry)
            #expect(world.sent.count == 1)
            try await world.clock.advance(to: .retry)
            #expect(await caller.ended() == nil)
            #expect(world.sent.count == 2)
            return
        default:
            guard case .failed(let error, _, _)? = await caller.ended() else { throw Surprise("it was not refused") }
            #expect(error is CircuitBreaker.Refusal)
        }
        #expect(world.sent.count == 1)
        if cause == .download { #expect(try Data(contentsOf: world.file) == Data("old".utf8)) }
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itWaitsForAConnectionAndTheFirstIsNotRepeated(cause: Cause) async throws {
        let world = try await SecondRequest(cause) { $0.traffic.waitsForConnectivity = true }
        let caller = await world.start()
        _ = world.isOff.exchange(true)
        try await world.answer()
        if cause == .eventStream { try await world.proceed() }
        await world.clock.alarms(1, for: .traffic)
        #expect(world.sent.count == 2)
        _ = world.isOff.exchange(false)
        try await world.clock.advance(to: .traffic)
        if cause == .hedge {
            try await eventually { world.sent.count == 3 }
            world.first.open()
        }
        #expect(await caller.ended() == nil)
        #expect(world.sent.count == world.expected + 1)
        if cause == .redirect || cause == .page { #expect(Set(world.sent.map(\.url)).count == 2) }
    }
}
