import Foundation
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCaching
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What the second request of a caller carries: the facts of the moment when it is sent.
@Suite(.timeLimit(.minutes(1)))
struct SecondRequestFactTests {
    typealias Cause = SecondRequest.Cause

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itHasTheFieldsAndThePreparationOfItsMoment(cause: Cause) async throws {
        let world = try await SecondRequest(cause, isPrepared: true) { $0.defaultHeaders["X-Tenant"] = "a" }
        let caller = await world.start()
        world.client.headers["X-Tenant"] = "b"
        world.prepare(with: "b")
        try await world.answer()
        try await world.proceed()
        #expect(await caller.ended() == nil)
        #expect(world.sent.map { $0.headers["X-Tenant"] } == ["a"] + Array(repeating: "b", count: world.expected - 1))
        let prepared = world.sent.map { $0.headers["X-Prepared"] }
        switch cause {
        // It belongs to an attempt that was prepared before.
        case .redirect: #expect(prepared == ["a", "a"])
        // It keeps its URL and its content only.
        case .upload: #expect(prepared.first == "a" && prepared.dropFirst().allSatisfy { $0 == "b" }, "\(prepared)")
        default: #expect(prepared == ["a", "b"])
        }
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .eventStream, .upload, .page, .hedge, .cache,
        ] as [Cause]
    )
    func itHasTheCookiesOfItsMoment(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start()
        await world.client.get("/cookie").ended()
        #expect(world.jar.cookies(for: world.client.baseURL).map(\.pair) == ["sid=1"])
        try await world.answer()
        try await world.proceed()
        #expect(await caller.ended() == nil)
        let cookies = world.sent.map { $0.headers["Cookie"] }
        #expect(cookies == [nil] + Array(repeating: "sid=1", count: world.expected - 1))
    }

    @Test(
        arguments: [
            .retryPolicy, .statusHandler, .refresh, .reauthentication, .redirect, .middleware, .download, .stream,
            .upload, .hedge, .cache,
        ] as [Cause]
    )
    func itHasTheIdempotencyKeyOfTheFirst(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let isRead = cause == .hedge || cause == .cache
        let caller = await world.start(isRead ? .get : .post) { $0.idempotent() }
        try await world.answer()
        try await world.proceed()
        #expect(await caller.ended() == nil)
        let keys = world.sent.filter { $0.method != .head }.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(keys[0] != nil)
        // The rest of an upload has a URL of its own.
        #expect(keys[1] == (cause == .upload ? nil : keys[0]))
    }

    /// Another page, or another connection of a stream, is another operation.
    @Test(arguments: [.page, .eventStream] as [Cause])
    func anotherPageOrConnectionHasAnIdempotencyKeyOfItsOwn(cause: Cause) async throws {
        let world = try await SecondRequest(cause)
        let caller = await world.start(.post) { $0.idempotent() }
        try await world.answer()
        try await world.proceed()
        #expect(await caller.ended() == nil)
        let keys = world.sent.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2)
        #expect(Set(keys).count == 2 && !keys.contains(nil))
    }
}
