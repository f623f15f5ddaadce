import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingTraffic

struct SlidingCountsTests {
    private func counts(_ all: Int, marked: Int) -> SlidingCounts.Counts {
        var counts = SlidingCounts.Counts()
        counts.all = all
        counts.marked = marked
        return counts
    }

    @Test
    func whatLiesALengthBackIsDropped() {
        var sliding = SlidingCounts(length: 10)
        sliding.add(all: 1, marked: 1, at: 0)
        sliding.add(all: 2, marked: 0, at: 5)
        #expect(sliding.counts(at: 9.9) == counts(3, marked: 1))
        #expect(sliding.counts(at: 10) == counts(2, marked: 0))
        #expect(sliding.counts(at: 15) == counts(0, marked: 0))
    }

    /// The naive count of all notes within nine tenths of the length is a part of it, and it is a part of that of the whole.
    @Test(arguments: [1, 7.5, 1_000])
    func countsLieBetweenNineTenthsAndAllOfTheLength(length: Double) {
        var generator = SeededGenerator(seed: 7)
        var sliding = SlidingCounts(length: length)
        var notes: [Double] = []
        var now = 0.0
        for _ in 0..<2_000 {
            now += .random(in: 0...length / 20, using: &generator)
            sliding.add(all: 1, marked: 0, at: now)
            notes.append(now)
            let count = sliding.counts(at: now).all
            #expect(count >= notes.count { $0 > now - length * 0.9 })
            #expect(count <= notes.count { $0 > now - length })
        }
    }

    @Test(arguments: [0, -1, .nan, .infinity, .leastNonzeroMagnitude])
    func noLengthTraps(length: Double) {
        var sliding = SlidingCounts(length: length)
        for position in [0, 1, .greatestFiniteMagnitude, .infinity, .nan] {
            sliding.add(all: .max, marked: 1, at: position)
            #expect(sliding.counts(at: position).all >= 0)
        }
    }
}
