import Foundation
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import SimpleNetworkingTraffic
import Testing

@testable import SimpleNetworkingCore

/// What hedging does to the slowest of many requests, and what it costs.
@Suite(.timeLimit(.minutes(5)))
struct HedgingTailTests {
    /// Runs jobs one after another, and lets time pass when there is none: no timer rings before its time.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private final class OrderlyExecutor: TaskExecutor {
        let clock = VirtualClock()
        private let jobs = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
        }

        /// Returns what the work returns; the thread of the queue does all of it.
        func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
            let result = Locked<Value?>(nil)
            Task(executorPreference: self) {
                let value = await work()
                result.withLock { $0 = value }
            }
            return await withCheckedContinuation { continuation in
                DispatchQueue(label: "hedging").async {
                    while result.withLock({ $0 == nil }), self.takeStep() {}
                    continuation.resume(returning: result.withLock { $0 })
                }
            }
        }

        /// Returns false if nothing can happen any more.
        private func takeStep() -> Bool {
            if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let seconds = clock.alarms.first {
                clock.advance(by: seconds)
            } else {
                return false
            }
            return true
        }
    }

    private struct Measurement {
        /// Seconds, sorted.
        let times: [Double]
        let requests: Int

        func quantile(_ share: Double) -> Double { times[Int(Double(times.count) * share)] }
    }

    /// Sends requests one after another to a server that takes about 0.1 s for all pieces of a response, and stalls for
    /// 10 s before one response of a hundred.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func measure(_ pieces: Int, through hedging: Hedging?) async throws -> Measurement {
        let url = try #require(URL(string: "https://api.example.com/x"))
        let executor = OrderlyExecutor()
        let clock = executor.clock
        let chance = Locked(SeededGenerator(seed: 11))
        let server = Locked(0)
        let next: Middleware.Next = { request in
            server.withLock { $0 += 1 }
            request.onActivity?()
            let stalls = chance.withLock { Int.random(in: 1...100, using: &$0) == 1 }
            if stalls { try await clock.sleep(10, for: .response) }
            for _ in 0..<pieces {
                let seconds = chance.withLock { Double.random(in: 0.08...0.12, using: &$0) }
                try await clock.sleep(seconds / Double(pieces), for: .response)
                request.onActivity?()
            }
            return TransportResponse(httpStatus: 200)
        }
        let scheduler = Scheduler(executor: executor, run: { $0() }, random: { $0.lowerBound })
        let times = await executor.run {
            var times: [Double] = []
            for _ in 0..<10_000 {
                var request = TransportRequest(head: RequestHead(url: url), clock: clock)
                request.scheduler = scheduler
                let start = clock.now
                if let hedging {
                    _ = try? await hedging.intercept(request, next: next)
                } else {
                    _ = try? await next(request)
                }
                times.append(clock.now - start)
            }
            return times
        }
        return Measurement(times: try #require(times).sorted(), requests: server.withLock { $0 })
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneStalledResponseInAHundredIsHardlyFeltIfContentArrivesInPieces() async throws {
        let plain = try await measure(10, through: nil)
        #expect(plain.quantile(0.999) > 10)
        let hedged = try await measure(10, through: Hedging(after: 0.0121))
        #expect(hedged.times.count == 10_000)
        #expect(hedged.requests <= 10_200)
        #expect(hedged.quantile(0.999) <= 1.5 * hedged.quantile(0.5))
    }

    @Test
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func oneStalledResponseInAHundredTakesTwoOrdinaryOnesIfContentArrivesAtOnce() async throws {
        let plain = try await measure(1, through: nil)
        #expect(plain.quantile(0.5) < 0.11)
        #expect(plain.quantile(0.999) > 9.9)
        let hedged = try await measure(1, through: Hedging(after: 0.12))
        #expect(hedged.times.count == 10_000)
        #expect(hedged.requests <= 10_200)
        #expect(hedged.quantile(0.5) < 0.11)
        // The second request is sent after the longest ordinary response, and takes as long again at most.
        #expect(hedged.quantile(0.999) <= 0.241)
    }

    @Test
    func responsesThatStallOnASocketAreAskedForAgain() async throws {
        let count = Locked(0)
        let server = try RawServer { _ in
            let number = count.next()
            return number % 50 == 0 ? RawServer.Reply([], end: .silence) : .response(body: "a")
        }
        let hedging = Hedging(after: 0.5, share: 1)
        let api = SimpleNetworking(of: server) { $0.middleware = [hedging] }
        var hedges = 0
        for _ in 0..<200 {
            let request = api.get("/x")
            #expect(await request.ended().value?.text == "a")
            hedges += request.trace.events.count { event in
                if case .note(let step as TrafficStep) = event.kind, case .hedged = step { true } else { false }
            }
        }
        #expect(hedges >= 4)
        // A busy machine may hedge others, and end a hedge before the server has seen it.
        #expect((204...200 + hedges).contains(server.requests.count))
    }
}

extension TransportRequest {
    /// A request of a client with that clock.
    fileprivate init(head: RequestHead, clock: any RequestClock) {
        self.init(
            head: head,
            body: .none,
            timeout: 60,
            maxResponseSize: 1_024,
            number: nil,
            clock: Boxed(clock),
            followsRedirects: true,
            isTransfer: false,
            report: nil
        )
    }
}
