import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking

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

    private let client = SimpleNetworking(host: "api.example.com") {
        $0.transport = Immediate()
        $0.logger = .quiet
    }

    @Test
    func anOwnerThatCancelsItsRequestMayGoAtAnyMoment() async {
        let rounds = Storm.size(200, full: 5_000)
        let ends = Recorder<Int>()
        await withCheckedContinuation { (isOver: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                for round in 0..<rounds {
                    releaseWhileHandlersRun(after: round * 37 % 4_000)
                    ends.add(round)
                }
                isOver.resume()
            }
        }
        #expect(ends.elements.count == rounds)
    }

    /// Releases the last reference while the engine goes through the owner's many handlers.
    private func releaseWhileHandlersRun(after pause: Int) {
        let owner = Locked<Screen?>(Screen())
        let (isRunning, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let request = SimpleNetworking.get("/x")
        for _ in 0..<200 {
            request.on(isolation: nil, success: { _ in isRunning.signal() }, owner: owner.withLock { $0 })
        }
        request.on(isolation: nil, completion: { _ in hasEnded.signal() })
        owner.withLock { $0 }?.request.withLock { $0 = request }
        request.execute(on: client)
        isRunning.wait()
        spin(pause)
        let last = owner.withLock { $0.take() }
        withExtendedLifetime(last) {}
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

    @Test
    @MainActor
    func anOwnerOfTheMainActorIsReleasedThere() async {
        DispatchQueue.main.setSpecific(key: View.isMainKey, value: true)
        let places = Recorder<Bool>()
        let rounds = Storm.size(150, full: 2_000)
        for round in 0..<rounds {
            var view: View? = View(places)
            let request = SimpleNetworking.get("/x")
            // Their content is decoded on other threads.
            for _ in 0..<60 { request.on(success: Data.self, { _ in }, owner: view) }
            request.on(completion: { _ in })
            request.execute(on: client)
            spin(round * 97 % 20_000)
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
        let client = SimpleNetworking(host: "api.example.com") {
            ($0.transport, $0.clock, $0.logger) = (server, clock, .quiet)
        }
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
