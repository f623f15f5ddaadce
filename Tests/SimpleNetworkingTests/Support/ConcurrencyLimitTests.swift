import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

@Suite
struct ConcurrencyLimitTests {
    @Test
    func workBeyondTheLimitOfItsKeyWaitsInOrder() {
        let turns = ConcurrencyLimit<String>()
        let begun = Recorder<Int>()
        for number in 1...4 { turns.begin("a", limit: 2) { begun.add(number) } }
        turns.begin("b", limit: 2) { begun.add(10) }
        #expect(begun.elements == [1, 2, 10])
        turns.end("a")
        #expect(begun.elements == [1, 2, 10, 3])
        for _ in 0..<3 { turns.end("a") }
        #expect(begun.elements == [1, 2, 10, 3, 4])
        for number in 5...6 { turns.begin("a", limit: 1) { begun.add(number) } }
        #expect(begun.elements == [1, 2, 10, 3, 4, 5])
    }

    @Test
    func aLimitOfZeroIsNone() {
        let turns = ConcurrencyLimit<Int?>()
        let begun = Recorder<Int>()
        for number in 1...3 { turns.begin(nil, limit: 0) { begun.add(number) } }
        #expect(begun.elements == [1, 2, 3])
    }
}
