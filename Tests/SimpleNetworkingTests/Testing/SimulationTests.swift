import Foundation
import SimpleNetworking
import SimpleNetworkingCaching
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

/// The simulation of the test kit: what one seed does, what it finds, and what it says about it.
@Suite(.timeLimit(.minutes(5)))
struct SimulationTests {
    /// Some requests with handlers on several actors and queues, an authenticator, retries, a decoded value and an await.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func mix(_ world: SimulatedWorld) async throws {
        world.server
            .on(.get, "/user", .json(#"{"name": "Ada"}"#, headers: ["Cache-Control": "max-age=2"]))
            .on(.get, "/old", .redirect(to: "/user"))
        let bearer = BearerAuthenticator(token: Secret("one")) { _ in
            await world.pause()
            return Secret("two")
        }
        world.faults += [.status(401)]
        let api = SimpleNetworking(host: "api.example.com") {
            world.configure(&$0)
            $0.retryPolicy = RetryPolicy(attempts: 3)
            $0.authenticator = bearer
            $0.cache = ResponseCache(now: { world.date })
        }
        let place = Place(world)
        for number in 1...3 {
            let request = await place.send(number, on: api)
            world.sometime("cancel \(number)") { request.cancel() }
        }
        let queue = DispatchQueue(label: "handlers")
        let onQueue = api.get("/old") { $0.callbackQueue(queue).on(success: { _ in world.note("on the queue") }) }
        let onMain = api.get("/user") {
            $0.on(
                isolation: MainActor.shared,
                completion: { _ in
                    MainActor.assertIsolated()
                    world.note("on the main actor")
                }
            )
        }
        async let value = try? api.send(Request<[String: String]>.get("/user")).value
        async let response = try? api.send(SimpleNetworking.get("/user"))
        let (name, status) = (await value?["name"], await response?.httpStatus)
        world.note("\(name ?? "no name"), \(status ?? 0)")
        await onQueue.ended()
        await onMain.ended()
    }

    private actor Place {
        let note: @Sendable (String) -> Void

        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        init(_ world: SimulatedWorld) { note = { text in world.note(text) } }

        func send(_ number: Int, on api: SimpleNetworking) -> SimpleRequest {
            api.get("/user") { $0.on(success: { _ in self.note("actor \(number)") }) }
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneSeedAlwaysDoesTheSame() async {
        var choices: Set<UInt64> = []
        for seed in 1...20 {
            let runs = [await SimulationRun(seed: seed, Self.mix), await SimulationRun(seed: seed, Self.mix)]
            #expect(runs[0].problems == [])
            #expect(runs[0].trace == runs[1].trace)
            #expect(runs[0].choices == runs[1].choices)
            #expect(runs[0].steps == runs[1].steps)
            choices.insert(runs[0].choices)
        }
        #expect(choices.count == 20)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct Remains: Sendable {
        weak var world: SimulatedWorld?
        weak var clock: VirtualClock?
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func runReleasesItsWorld() async throws {
        let remains = Locked<[Remains]>([])
        for seed in 1...20 {
            _ = await SimulationRun(seed: seed) { world in
                remains.withLock { $0.append(Remains(world: world, clock: world.clock)) }
                try await Self.mix(world)
            }
        }
        // The last run's task may end a moment later.
        try await eventually { remains.withLock { $0.allSatisfy { $0.world == nil && $0.clock == nil } } }
    }

    // MARK: What is found

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func problems(
        seeds: some Sequence<Int> = 1...20,
        _ body: @escaping @Sendable (SimulatedWorld) async throws -> Void
    ) async -> Set<String> {
        var problems: Set<String> = []
        for seed in seeds { await problems.formUnion(SimulationRun(seed: seed, body).problems) }
        return problems
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func client(_ world: SimulatedWorld, _ host: String = "api.example.com") -> SimpleNetworking {
        world.faults = []
        return SimpleNetworking(host: host) { world.configure(&$0) }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func whatIsRightHasNoProblem() async {
        let problems = await Self.problems { world in
            world.server.on(.get, "/user", .text("Ada"))
            let text = try await Self.client(world).send(SimpleNetworking.get("/user")).text
            world.expect(text == "Ada", "the text is \(text ?? "none")")
        }
        #expect(problems == [])
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func secretOnASecondOriginIsFound() async {
        let send: @Sendable (SimulatedWorld) async throws -> Void = { world in
            world.server.on("/user", .text("Ada"))
            for host in ["api.example.com", "files.example.net"] {
                let request = SimpleNetworking.get("/user").header("X-API-Key", "k3y")
                _ = try await Self.client(world, host).send(request)
            }
        }
        #expect(
            await Self.problems(send) == ["GET files.example.net/user has the X-API-Key of https://api.example.com"]
        )
        let trusted = await Self.problems { world in
            world.trustedHosts = ["api.example.com", "files.example.net"]
            try await send(world)
        }
        #expect(trusted == [])
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func requestWithoutAnEndIsFound() async {
        let kept = Locked<[SimpleRequest]>([])
        let problems = await Self.problems { world in
            world.server.on("/user", .status(503))
            Self.client(world).get("/user") {
                $0.on(httpStatus: 503) { request, _ in
                    kept.withLock { $0.append(request) }
                    return false
                }
            }
        }
        #expect(problems == ["#1 GET /user has not ended"])
        for request in kept.withLock({ $0 }) { request.stop() }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func limitThatIsLeftIsFound() async {
        let problems = await Self.problems { _ = $0.clock.schedule(after: 5, for: .deadline) {} }
        #expect(problems == ["a deadline is left on the clock"])
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func errorsExpectationsAndEndlessRunsAreFound() async {
        #expect(await Self.problems { _ in throw CancellationError() } == ["the code threw CancellationError()"])
        #expect(await Self.problems { $0.expect(false, "no Ada") } == ["no Ada"])
        let endless = await Self.problems(seeds: [1]) { world in while true { await world.pause() } }
        #expect(endless.contains { $0.hasPrefix("it does not come to an end") })
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func codeThatWaitsForEverIsFound() async {
        let gates = Locked<[Gate]>([])
        let problems = await Self.problems { _ in
            let gate = Gate()
            gates.withLock { $0.append(gate) }
            try await gate.wait()
        }
        #expect(problems == ["the code waits for what never comes, or is no part of the world"])
        for gate in gates.withLock({ $0 }) { gate.open() }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func faultsComeAsOftenAsTheyAreSetTo() async {
        for (rate, statuses) in [(0, [200]), (1, [503]), (0.5, [200, 503])] as [(Double, Set<Int>)] {
            let seen = Locked<Set<Int>>([])
            let problems = await Self.problems { world in
                world.server.on("/user", .text("Ada"))
                let api = Self.client(world)
                (world.faults, world.faultRate) = ([.status(503)], rate)
                let status = await api.get("/user").ended().map(\.httpStatus)
                seen.withLock { _ = $0.insert((try? status.get()) ?? 503) }
            }
            #expect(problems == [])
            #expect(seen.withLock { $0 } == statuses)
        }
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func failureSaysTheSeedWhatWasWrongAndWhatHappened() async throws {
        let error = await #expect(throws: SimulationFailure.self) {
            try await simulate(seeds: 1...100) { world in
                world.server.on("/user", .text("Ada"))
                let api = SimpleNetworking(host: "api.example.com") { world.configure(&$0) }
                let request = SimpleNetworking.get("/user").header("Authorization", "Bearer s3cret")
                world.sometime("the screen closes") { request.cancel() }
                do {
                    _ = try await api.send(request)
                } catch is CancellationError {
                    world.expect(world.clock.now < 1, "the screen closed late")
                } catch {}
            }
        }
        #expect(
            error?.text == """
                seed 2 fails:
                  the screen closed late
                what happened in its 10 steps (simulate(seeds: [2]) does it again):
                    0.000 s  #1 GET /user: attempt 1: GET https://api.example.com/user
                    5.000 s  the clock: response
                    8.000 s  the clock: action
                    8.000 s  the screen closes
                    8.000 s  #1 GET /user: ended: GET https://api.example.com/user was cancelled.
                    8.000 s  PROBLEM: the screen closed late
                """
        )
    }
}
