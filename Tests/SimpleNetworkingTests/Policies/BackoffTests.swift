import Testing

@testable import SimpleNetworking

struct BackoffTests {
    @Test(arguments: [(1, 0.5), (2, 1), (3, 2), (4, 4), (7, 30), (1_000_000, 30), (0, 0.5), (-1, 0.5)])
    func theLongestWaitGrowsUpToTheCap(retry: Int, seconds: TimeInterval) {
        #expect(Backoff.exponential.delay(beforeRetry: retry, random: \.upperBound) == seconds)
        #expect(Backoff.exponential.delay(beforeRetry: retry, random: \.lowerBound) == 0)
        #expect(Backoff.exponential(jitters: false).delay(beforeRetry: retry) == seconds)
    }

    @Test
    func aWaitIsARandomPartOfTheLongest() {
        let waits = Set((1...100).map { _ in Backoff.exponential.delay(beforeRetry: 3) })
        #expect(waits.count > 90)
        #expect(waits.allSatisfy { (0...2).contains($0) })
    }

    @Test
    func aConstantWaitIsConstant() {
        #expect([1, 2, 9].map { Backoff.constant(3).delay(beforeRetry: $0) } == [3, 3, 3])
    }

    @Test(arguments: [
        Backoff.constant(-1), .constant(.nan), .exponential(base: .nan), .exponential(cap: .nan),
        .exponential(base: .infinity, cap: 0),
        .exponential(base: 0, factor: .infinity),
    ])
    func aSenselessWaitIsNone(backoff: Backoff) {
        #expect((1...3).allSatisfy { backoff.delay(beforeRetry: $0) == 0 })
    }
}
