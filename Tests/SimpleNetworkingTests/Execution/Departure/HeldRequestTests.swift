import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCookies
@testable import SimpleNetworkingCore

/// What happens to a request that something holds back before it is sent.
@Suite(.timeLimit(.minutes(1)))
struct HeldRequestTests {
    typealias Hold = HeldRequest.Hold

    private func expectNothingSent(_ world: HeldRequest, _ request: SimpleRequest) async throws {
        try await world.release(request)
        await world.settle()
        #expect(world.arrived.elements.isEmpty)
        // It keeps nothing that another request needs.
        #expect(await world.client.get("/y").ended().value != nil)
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsNeverSentOnceItIsCancelled(hold: Hold) async throws {
        let world = HeldRequest(hold)
        let request = try await world.start()
        request.cancel()
        #expect(await request.ended().error?.isCancellation == true)
        try await expectNothingSent(world, request)
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsNeverSentOnceItsDeadlineHasPassed(hold: Hold) async throws {
        let world = HeldRequest(hold)
        let ends = Recorder<String>()
        let request = try await world.start { $0.deadline(5).on(completion: { _ in ends.add("end") }) }
        world.clock.advance(by: 5)
        guard case .timedOut(.deadline, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        try await expectNothingSent(world, request)
        #expect(ends.elements == ["end"])
    }

    /// The newer request may be held back for the same reason.
    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsNeverSentOnceANewerOneReplacesIt(hold: Hold) async throws {
        let world = HeldRequest(hold)
        let ends = Recorder<String>()
        let request = try await world.start { request in
            request.replacing("key").deadline(3600).on(completion: { _ in ends.add("end") })
        }
        let newer = world.client.get("/newer") { $0.replacing("key") }
        #expect(await request.ended().error?.isCancellation == true)
        try await expectNothingSent(world, request)
        #expect(await newer.ended().value != nil)
        world.clock.advance(by: 3600)
        #expect(ends.elements == ["end"])
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsNeverSentForTheNextUserOfASignOut(hold: Hold) async throws {
        let world = HeldRequest(hold)
        world.client.authenticate(with: world.bearer)
        let ends = Recorder<String>()
        let request = try await world.start { $0.deadline(3600).on(completion: { _ in ends.add("end") }) }
        world.bearer.token = nil
        world.client.signOut()
        world.bearer.token = Secret("bob")
        try await world.release(request)
        guard case .authentication(let failure)? = await request.ended().error else {
            throw Surprise("\(request.trace)")
        }
        #expect(failure.underlying as? RefreshFailure == .signedOut)
        try await expectNothingSent(world, request)
        world.clock.advance(by: 3600)
        #expect(ends.elements == ["end"])
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsRefusedByABreakerThatHasOpenedMeanwhile(hold: Hold) async throws {
        let breaker = CircuitBreaker(failureShare: 0.5, minimumCalls: 4, window: 60, openTime: 60)
        let world = HeldRequest(hold, breaker: breaker)
        let request = try await world.start()
        for _ in 0..<9 { await world.other.get("/broken").ended() }
        try await world.release(request)
        guard case .failed(let error, _, _)? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(error is CircuitBreaker.Refusal)
        #expect(world.arrived.elements.isEmpty)
        // It has given back its turn.
        world.clock.advance(by: 60)
        #expect(await world.client.get("/y").ended().value != nil)
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsSentOnceWithTheCookiesOfThatMoment(hold: Hold) async throws {
        let world = HeldRequest(hold)
        let request = try await world.start()
        await world.other.get("/cookie").ended()
        #expect(world.jar.cookies(for: world.client.baseURL).map(\.pair) == ["sid=1"])
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.map { $0.headers["Cookie"] } == ["sid=1"])
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsSentOnceWithTheFieldsAndThePreparationOfThatMoment(hold: Hold) async throws {
        let world = HeldRequest(hold, isPrepared: true) { $0.defaultHeaders["X-Tenant"] = "a" }
        let request = try await world.start()
        world.client.headers["X-Tenant"] = "b"
        world.prepare(with: "b")
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.map { $0.headers["X-Tenant"] } == ["b"])
        #expect(world.arrived.elements.map { $0.headers["X-Prepared"] } == ["b"])
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func itIsSentOnceWithOneIdempotencyKey(hold: Hold) async throws {
        let world = HeldRequest(hold, isPrepared: true)
        let request = try await world.start(.post) { $0.idempotent() }
        world.client.headers["X-Version"] = "2"
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.count == 1)
        let keys = world.server.requests(to: "/x").map { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 1 && !keys.contains(nil))
    }

    @Test(arguments: [.suspension, .connectivity, .serverWord, .turn] as [Hold])
    func aResponseThatIsNotAcceptableEndsItAndHoldsNothingBack(hold: Hold) async throws {
        let world = HeldRequest(hold, response: .pieces("<p>", type: "text/html"))
        let heard = Recorder<String>()
        let request = try await world.start { request in
            request.acceptable(types: [.json])
                .on(success: { (_: SimpleResponse) in heard.add("success") }).on(error: { _ in heard.add("error") })
        }
        try await world.release(request)
        guard case .unacceptableContentType? = await request.ended().error else { throw Surprise("\(request.trace)") }
        #expect(heard.elements == ["error"])
        #expect(world.arrived.elements.count == 1)
        #expect(await world.client.get("/y").ended().value != nil)
    }

    // MARK: Two at once

    @Test(arguments: [.connectivity, .serverWord, .turn] as [Hold])
    func itIsNotSentBeforeItIsResumedEither(hold: Hold) async throws {
        let world = HeldRequest(hold)
        let request = try await world.start()
        request.suspend()
        try await world.release(request)
        await world.settle()
        #expect(world.arrived.elements.isEmpty)
        #expect(await world.client.get("/y").ended().value != nil)
        request.resume()
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.count == 1)
    }

    @Test
    func itWaitsForAConnectionAfterItHasWaitedForTheServer() async throws {
        let world = HeldRequest(.connectivity) { $0.traffic.respectsRateLimits = true }
        #expect(await world.client.get("/limited").ended().error?.httpStatus == 429)
        let request = try await world.start()
        #expect(world.server.requests(to: "/x").isEmpty)
        world.clock.advance(by: 30)
        try await eventually { world.server.requests(to: "/x").count == 1 }
        await world.clock.alarms(1, for: .traffic)
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.count == 1)
    }

    /// A request to another server has the turn meanwhile.
    @Test
    func itKeepsNoTurnWhileItWaitsForAConnection() async throws {
        let world = HeldRequest(.connectivity) { $0.traffic.inFlight = 1 }
        let request = try await world.start()
        #expect(await world.client.get("https://other.example.org/y").ended().value != nil)
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.count == 1)
    }

    @Test
    func itKeepsNoTurnWhileItWaitsForTheServer() async throws {
        let world = HeldRequest(.serverWord) {
            $0.traffic.respectsRateLimits = true
            $0.traffic.inFlight = 1
        }
        let request = try await world.start()
        #expect(await world.client.get("https://other.example.org/y").ended().value != nil)
        #expect(world.arrived.elements.isEmpty)
        try await world.release(request)
        #expect(await request.ended().value != nil)
        #expect(world.arrived.elements.count == 1)
    }
}
