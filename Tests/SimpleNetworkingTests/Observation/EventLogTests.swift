import Testing

@testable import SimpleNetworking

@Suite
struct EventLogTests {
    @Test
    func firstAndLastOfManyEventsAreKept() {
        var log = EventLog()
        for number in 0..<5000 { log.add(.ignored("\(number)"), at: 0) }
        let numbers = log.events.compactMap { event -> Int? in
            if case .ignored(let text) = event.kind { Int(text) } else { nil }
        }
        #expect(numbers.count <= 1000)
        #expect(numbers.starts(with: 0..<500))
        #expect(numbers.suffix(400) == Array(4600..<5000)[...])
        #expect(numbers == numbers.sorted())
    }
}
