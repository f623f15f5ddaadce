import Foundation
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

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

    /// Two threads told them out of order.
    @Test
    func monitorsHearEventsInTheirOrder() async throws {
        let monitor = HoldingMonitor { if case .received = $0 { true } else { false } }
        let heard = Recorder<String>()
        let server = StubTransport().on("*", StubResponse.json("{}").after(0.01))
        let client = SimpleNetworking(over: server, host: "a.test") {
            $0.eventMonitors = [
                monitor,
                Monitor { heard.add("\($0.kind)") },
            ]
        }
        let request = client.get("/x")
        try await eventually { monitor.isHolding }
        request.cancel()
        await request.ended()
        monitor.go.signal()
        let events = request.trace.events.map { "\($0.kind)" }
        try await eventually { heard.elements.count == events.count }
        #expect(heard.elements == events)
    }

    private struct Monitor: EventMonitor {
        let body: @Sendable (RequestEvent) -> Void

        func observe(_ event: RequestEvent, of request: ObservedRequest) { body(event) }
    }
}
