import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// Who may be sent, and when, by the pure value that decides.
@Suite(.timeLimit(.minutes(5)))
struct TrafficQueueTests {
    private static let lane = lane("a")

    private static func lane(_ host: String) -> TrafficQueue.Lane {
        guard let origin = Origin("https://\(host).example") else { preconditionFailure("\(host) makes no origin") }
        return TrafficQueue.Lane(origin: origin, account: nil)
    }

    private static func queue(_ change: (inout TrafficRules) -> Void) -> TrafficQueue {
        var rules = TrafficRules()
        change(&rules)
        return TrafficQueue(rules, at: 0)
    }

    /// All that may be sent now.
    private static func takeAll(_ queue: inout TrafficQueue, at now: TimeInterval) -> [Int] {
        var taken: [Int] = []
        while let number = queue.takeNext(at: now) { taken.append(number) }
        return taken
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func tenThousandRequestsOfThreePrioritiesGoInTheOrderOfAModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = Self.queue { $0.inFlight = 6 }
        // The model: all that wait, and how many are in flight.
        var model: [(key: TimeInterval, number: Int)] = []
        var inFlight: [Int] = []
        var time: TimeInterval = 0
        for number in 0..<10_000 {
            time += .random(in: 0...0.5, using: &random)
            let priority = RequestPriority.allCases.randomElement(using: &random) ?? .normal
            queue.add(number, to: Self.lane, priority, at: time)
            model.append((time + priority.delay, number))
            if Bool.random(using: &random), let victim = model.randomElement(using: &random)?.number {
                queue.cancel(victim, at: time)
                model.removeAll { $0.number == victim }
            }
            if Bool.random(using: &random), let done = inFlight.indices.randomElement(using: &random) {
                queue.leave(inFlight.remove(at: done), of: Self.lane, after: .response(nil), at: time)
            }
            var expected: [Int] = []
            while inFlight.count < 6, let next = model.min(by: { $0 < $1 }) {
                model.removeAll { $0.number == next.number }
                inFlight.append(next.number)
                expected.append(next.number)
            }
            let taken = Self.takeAll(&queue, at: time)
            guard taken == expected, queue.waitingCount == model.count else {
                Issue.record("after \(number), \(taken) and not \(expected) were sent")
                return
            }
        }
    }

    /// Each end of a request looked at all that wait, so that many took very long (okhttp #4581): here that would be
    /// more than the suite's time.
    @Test func twoHundredThousandThatWaitGoOneAfterTheOther() {
        var queue = Self.queue { $0.inFlight = 1 }
        let count = 200_000
        for number in 0..<count { queue.add(number, to: Self.lane, .normal, at: 0) }
        var sent = 0
        while let number = queue.takeNext(at: 1) {
            guard number == sent else { break }
            sent += 1
            queue.leave(number, of: Self.lane, after: .response(nil), at: 1)
        }
        #expect(sent == count)
    }

    @Test func aFullOriginDoesNotHoldUpAnother() {
        var queue = Self.queue { $0.inFlightPerOrigin = 1 }
        queue.add(1, to: Self.lane, .normal, at: 0)
        queue.add(2, to: Self.lane, .high, at: 0)
        queue.add(3, to: Self.lane("b"), .low, at: 0)
        #expect(Self.takeAll(&queue, at: 0) == [2, 3])
        queue.leave(2, of: Self.lane, after: .failure, at: 1)
        #expect(Self.takeAll(&queue, at: 1) == [1])
    }

    /// Priorities without ageing starve the lowest (okhttp #404).
    @Test func noPriorityStarves() throws {
        var queue = Self.queue { $0.inFlight = 1 }
        queue.add(0, to: Self.lane, .low, at: 0)
        _ = Self.takeAll(&queue, at: 0)
        queue.add(1, to: Self.lane, .low, at: 0)
        var inFlight = 0
        for number in 2..<100 {
            queue.add(number, to: Self.lane, .high, at: TimeInterval(number))
            queue.leave(inFlight, of: Self.lane, after: .response(nil), at: TimeInterval(number))
            let sent = Self.takeAll(&queue, at: TimeInterval(number))
            if sent == [1] {
                // Those that came in the first 20 s were sent before it.
                #expect(number == 20)
                return
            }
            inFlight = try #require(sent.first)
        }
        Issue.record("the request with a low priority was never sent")
    }

    @Test func aRateAllowsABurstAndThenOneAfterTheOther() {
        var queue = Self.queue { $0.rate = .perSecond(10, burst: 3) }
        for number in 0..<6 { queue.add(number, to: Self.lane, .normal, at: 0) }
        #expect(Self.takeAll(&queue, at: 0) == [0, 1, 2])
        #expect(queue.nextMoment == 0.1)
        #expect(Self.takeAll(&queue, at: 0.09).isEmpty)
        #expect(Self.takeAll(&queue, at: 0.1) == [3])
        #expect(Self.takeAll(&queue, at: 0.3) == [4, 5])
        #expect(queue.nextMoment == nil)
    }

    @Test func timeThatSeemsToGoBackMakesNoTokens() {
        var queue = Self.queue { $0.rate = .perSecond(1) }
        for number in 0..<3 { queue.add(number, to: Self.lane, .normal, at: 0) }
        #expect(Self.takeAll(&queue, at: 10) == [0])
        #expect(Self.takeAll(&queue, at: 9).isEmpty)
        #expect(Self.takeAll(&queue, at: 10.5).isEmpty)
        #expect(Self.takeAll(&queue, at: 11) == [1])
    }

    @Test func whatIsNotSentAfterAllUsesUpNoToken() {
        var queue = Self.queue { $0.rate = .perSecond(1) }
        queue.add(0, to: Self.lane, .normal, at: 0)
        #expect(Self.takeAll(&queue, at: 0) == [0])
        queue.leave(0, of: Self.lane, after: .unsent, at: 0)
        queue.add(1, to: Self.lane, .normal, at: 0)
        #expect(Self.takeAll(&queue, at: 0) == [1])
    }

    @Test func requestsInFlightCountAgainstWhatTheServerHasLeft() {
        var queue = Self.queue { $0.respectsRateLimits = true }
        for number in 0..<10 { queue.add(number, to: Self.lane, .normal, at: 0) }
        #expect(Self.takeAll(&queue, at: 0).count == 10)
        queue.leave(0, of: Self.lane, after: .response(.remaining(11, within: 60)), at: 1)
        for number in 10..<20 { queue.add(number, to: Self.lane, .normal, at: 2) }
        #expect(Self.takeAll(&queue, at: 2) == [10, 11])
        #expect(queue.nextMoment == 61)
    }

    @Test func accountsShareTheLimitOfAnOrigin() {
        var queue = Self.queue { $0.inFlightPerOrigin = 1 }
        let former = Self.lane("a.test")
        var account = AccountNumber()
        account.advance()
        let next = TrafficQueue.Lane(origin: former.origin, account: account)
        queue.add(1, to: former, .normal, at: 0)
        queue.add(2, to: next, .normal, at: 0)
        #expect(queue.takeNext(at: 0) == 1 && queue.takeNext(at: 0) == nil)
        queue.leave(1, of: former, after: .failure, at: 1)
        #expect(queue.takeNext(at: 1) == 2)
        queue.leave(2, of: next, after: .failure, at: 2)
        #expect(queue.isIdle && queue.keptCount == 0)
    }

    @Test func manyServersTakeNoSpaceHoweverLongTheySayToWait() {
        var queue = Self.queue { $0.respectsRateLimits = true }
        for number in 0..<5_000 {
            let lane = Self.lane("host\(number)")
            queue.add(number, to: lane, .normal, at: 0)
            #expect(queue.takeNext(at: 0) == number)
            queue.leave(number, of: lane, after: .response(.remaining(1, within: 1e9)), at: 0)
        }
        // A lane and an origin for each server.
        #expect(queue.keptCount <= 2_002)
    }

    @Test func cancelledRequestsTakeNoSpace() {
        var queue = Self.queue { $0.inFlight = 1 }
        queue.add(-1, to: Self.lane, .normal, at: 0)
        _ = Self.takeAll(&queue, at: 0)
        for number in 0..<100_000 {
            queue.add(number, to: Self.lane, .normal, at: 0)
            queue.cancel(number, at: 0)
        }
        #expect(queue.waitingCount == 0)
        #expect(queue.keptCount < 100)
    }

    /// A thread that read the clock before another one, and came after it.
    @Test func timeThatSeemsToGoBackStopsNoLane() {
        var queue = Self.queue {
            $0.inFlight = 1
            $0.respectsRateLimits = true
        }
        let other = Self.lane("b")
        queue.add(0, to: Self.lane, .normal, at: 0)
        #expect(Self.takeAll(&queue, at: 0) == [0])
        queue.leave(0, of: Self.lane, after: .response(.wait(10)), at: 0)
        queue.add(1, to: Self.lane, .normal, at: 1)
        queue.add(2, to: other, .normal, at: 2)
        #expect(Self.takeAll(&queue, at: 2) == [2])
        #expect(Self.takeAll(&queue, at: 10).isEmpty)
        #expect(Self.takeAll(&queue, at: 9.99).isEmpty)
        queue.leave(2, of: other, after: .response(nil), at: 11)
        #expect(Self.takeAll(&queue, at: 11) == [1])
    }

    @Test func nothingWaitsLongerThanTheMaximum() {
        var queue = Self.queue { $0.respectsRateLimits = true }
        queue.add(0, to: Self.lane, .normal, at: 0)
        #expect(Self.takeAll(&queue, at: 0) == [0])
        queue.leave(0, of: Self.lane, after: .response(.remaining(1, within: 3600)), at: 0)
        for number in 1...3 { queue.add(number, to: Self.lane, .normal, at: 0) }
        #expect(Self.takeAll(&queue, at: 0) == [1])
        queue.leave(1, of: Self.lane, after: .failure, at: 1)
        #expect(queue.nextMoment == 60)
        // One is sent to see.
        #expect(Self.takeAll(&queue, at: 60) == [2])
        queue.leave(2, of: Self.lane, after: .response(nil), at: 61)
        #expect(Self.takeAll(&queue, at: 61) == [3])
    }

    @Test func oldServersDoNotCrowdOutANewOnesWord() {
        var queue = Self.queue { $0.respectsRateLimits = true }
        for number in 0...1000 {
            let lane = Self.lane("host\(number)")
            let now: TimeInterval = number < 1000 ? 0 : 100
            let word = number < 1000 ? RateLimitHint.remaining(1, within: 1) : .wait(30)
            queue.add(number, to: lane, .normal, at: now)
            #expect(queue.takeNext(at: now) == number)
            queue.leave(number, of: lane, after: .response(word), at: now)
        }
        queue.add(2000, to: Self.lane("host1000"), .normal, at: 101)
        #expect(queue.takeNext(at: 101) == nil)
        #expect(queue.keptCount < 10)
    }
}
