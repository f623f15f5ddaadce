import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// When and where an owner is released: its `deinit` may use the request, and may belong to the main actor.
@Suite(.timeLimit(.minutes(15)))
struct OwnerReleaseTests {
    /// Responds at once, so that the last reference and the response race.
    private struct Immediate: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(httpStatus: 200, data: Data("{}".utf8))
        }
    }

    /// Cancels its request when it is released, as many screens do.
    private final class Screen: Sendable {
        let request = Locked<SimpleRequest?>(nil)

        deinit { request.withLock { $0.take() }?.cancel() }
    }

    private let client = SimpleNetworking(over: Immediate())

    /// Tells another thread how far something has come.
    private struct Counter: Sendable {
        private let number = Locked(-1)

        var value: Int { number.withLock { $0 } }
        func set(_ value: Int) { number.withLock { $0 = value } }
        func wait(for value: Int) { while self.value < value { sched_yield() } }
    }

    @Test
    func anOwnerThatCancelsItsRequestMayGoAtAnyMoment() async {
        let rounds = Storm.size(20, full: 500)
        let ends = Recorder<Int>()
        await withCheckedContinuation { (isOver: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                var pause = 100
                for round in 0..<rounds {
                    releaseOwners(after: &pause)
                    ends.add(round)
                }
                isOver.resume()
            }
        }
        #expect(ends.elements.count == rounds)
    }

    /// Releases the last reference to each of many owners when the engine is about to look at it.
    ///
    /// The pause before is steered there: it grows when the owner's handler has not run, and shrinks when it has.
    private func releaseOwners(after pause: inout Int) {
        let (next, released, ran) = (Counter(), Counter(), Counter())
        let hasEnded = DispatchSemaphore(value: 0)
        let request = SimpleNetworking.get("/x")
        var owners: [Screen?] = []
        for index in 0..<200 {
            let owner = Screen()
            owner.request.withLock { $0 = request }
            owners.append(owner)
            request.on(
                isolation: nil,
                success: { _ in
                    released.wait(for: index - 1)
                    next.set(index)
                }
            )
            request.on(isolation: nil, success: { _ in ran.set(index) }, owner: owner)
        }
        request.on(isolation: nil, completion: { _ in hasEnded.signal() })
        request.execute(on: client)
        for index in owners.indices {
            next.wait(for: index)
            // The one before is settled now.
            let isLate = ran.value == index - 1
            pause = isLate ? max(0, pause - pause / 20 - 1) : min(5_000, pause + pause / 20 + 1)
            spin(pause)
            owners[index] = nil
            released.set(index)
        }
        hasEnded.wait()
    }

    /// Notes where it is released.
    @MainActor
    private final class View {
        nonisolated static let isMainKey = DispatchSpecificKey<Bool>()
        private let places: Recorder<Bool>

        init(_ places: Recorder<Bool>) { self.places = places }

        deinit { places.add(DispatchQueue.getSpecific(key: View.isMainKey) == true) }
    }

    /// Counts how often content was decoded for it.
    private struct Noted: Decodable {
        static let decoded = Counter()

        init(from decoder: any Decoder) { Self.decoded.set(Self.decoded.value + 1) }
    }

    /// The last reference goes when the content was decoded for many of the handlers, elsewhere, and none has run.
    @Test
    @MainActor
    func anOwnerOfTheMainActorIsReleasedThere() async {
        DispatchQueue.main.setSpecific(key: View.isMainKey, value: true)
        let places = Recorder<Bool>()
        let rounds = Storm.size(200, full: 2_000)
        for round in 0..<rounds {
            var view: View? = View(places)
            let request = SimpleNetworking.get("/x")
            for _ in 0..<100 { request.on(success: Data.self, { _ in }, owner: view) }
            request.on(success: Noted.self, { _ in }, owner: view)
            for _ in 0..<20 { request.on(success: Data.self, { _ in }, owner: view) }
            request.on(completion: { _ in })
            request.execute(on: client)
            Noted.decoded.wait(for: round)
            spin(round * 977 % 60_000)
            view = nil
            await request.ended()
        }
        #expect(places.elements.count == rounds)
        #expect(places.elements.allSatisfy { $0 }, "\(places.elements.filter { !$0 }.count) of \(rounds) elsewhere")
    }

    @Test
    func anOwnerWhoseHandlersAllRunOnTheMainActorIsLookedForThereAlone() async throws {
        let (server, clock) = (StubTransport(), VirtualClock())
        server.on("/x", .silence)
        let client = SimpleNetworking(over: server, clock: clock)
        let places = Recorder<Bool>()
        let request = await MainActor.run {
            DispatchQueue.main.setSpecific(key: View.isMainKey, value: true)
            let view = View(places)
            return client.get("/x") { $0.on(isolation: MainActor.shared, success: { _ in }, owner: view) }
        }
        #expect(places.elements == [true])
        await clock.alarms(1, for: .owners)
        clock.advance(by: 1)
        try await eventually { request.trace.end != nil }
        #expect(request.trace.description.contains("was cancelled"))
    }

    /// Passes some time that no clock could measure.
    private nonisolated func spin(_ count: Int) {
        var number = count
        for _ in 0..<count { number = number &* 31 &+ 7 }
        withExtendedLifetime(number) {}
    }
}
