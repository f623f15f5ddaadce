import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

@Suite
struct RecencyListTests {
    @Test
    func recencyListMatchesASimpleModel() {
        var generator = SystemRandomNumberGenerator()
        var list = RecencyList<Int, Int>(limit: 50)
        // The newest last.
        var model: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<20, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0:
                list.remove(key)
                model.removeAll { $0.key == key }
            case 1...4:
                list.use(key)
                if let index = model.firstIndex(where: { $0.key == key }) { model.append(model.remove(at: index)) }
            default:
                let cost = Int.random(in: 0..<15, using: &generator)
                let gone = list.insert(key, step, cost: cost)
                model.removeAll { $0.key == key }
                model.append((key, step, cost))
                var expected: [Int] = []
                while model.reduce(0, { $0 + $1.cost }) > 50 { expected.append(model.removeFirst().key) }
                #expect(gone == expected)
            }
            #expect(list.count == model.count && list.cost == model.reduce(0) { $0 + $1.cost })
            #expect(model.allSatisfy { list.peek($0.key) == $0.value && list.contains($0.key) })
        }
        list.removeAll()
        #expect(list.count == 0 && list.cost == 0 && list.peek(1) == nil)
    }

    /// A sparse file may be that large.
    @Test
    func costsBeyondAllNumbersAreCounted() {
        var list = RecencyList<Int, Int>(limit: .max)
        for key in 0..<6 { _ = list.insert(key, key, cost: .max / 2) }
        #expect(list.count == 6 && list.cost == .max)
        for key in 0..<6 { list.remove(key) }
        #expect(list.count == 0 && list.cost == 0)
    }
}
