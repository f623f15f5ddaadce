import Testing

@testable import SimpleNetworking

@Suite
struct EventLogTests {
    @Test
    func ofManyEventsTheFirstAndTheLastAreKept() {
        let log = EventLog()
        log.restart(clock: SystemClock())
        for number in 0..<5000 { log.record(.ignored("\(number)")) }
        let numbers = log.events.compactMap { event -> Int? in
            if case .ignored(let text) = event.kind { Int(text) } else { nil }
        }
        #expect(numbers.count <= 1000)
        #expect(numbers.starts(with: 0..<500))
        #expect(numbers.suffix(400) == Array(4600..<5000)[...])
        #expect(numbers == numbers.sorted())
    }
}
