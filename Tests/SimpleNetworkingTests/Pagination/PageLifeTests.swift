import Foundation
import SimpleNetworkingPagination
import SimpleNetworkingSupport
import SimpleNetworkingTestSupport
import SimpleNetworkingTesting
import Testing

@testable import SimpleNetworkingCore

/// Further pages that are never requested, or too late.
@Suite(.timeLimit(.minutes(5)))
struct PageLifeTests {
    private let list = ListServer(way: .links, count: 25, size: 10)

    private final class Dropping: SimpleNetworking, @unchecked Sendable {
        private let count = Locked(0)

        override func execute(request: SimpleRequest) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number != 2 { super.execute(request: request) }
        }
    }

    @Test
    func aPageThatASubclassDropsEndsTheExecution() async throws {
        let client = Dropping(over: list.transport)
        let ends = Recorder<String>()
        client.get("/items") {
            $0.on(page: list.style, of: ListServer.Item.self, at: "results") { _ in true }
                .on(completion: { outcome in
                    if case .abandoned? = outcome.error { ends.add("abandoned") } else { ends.add("\(outcome)") }
                })
        }
        try await eventually { !ends.elements.isEmpty }
        #expect(ends.elements == ["abandoned"])
    }

    @Test
    func aLateTurnOfAPageLeavesALaterExecutionAlone() async throws {
        let (monitor, gate) = (HoldingMonitor(after: .page), Gate())
        let count = Locked(0)
        let server = StubTransport().on("*") { [list] request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 { try await gate.wait() }
            return list.page(for: request)
        }
        let client = SimpleNetworking(over: server) { $0.eventMonitors = [monitor] }
        let numbers = Recorder<Int>()
        let request = client.get("/items") {
            $0.on(page: list.style, of: ListServer.Item.self, at: "results") {
                numbers.add($0.number)
                return true
            }
        }
        try await eventually { monitor.isHolding }
        request.cancel()
        request.callbackQueue(.global())
        request.execute(on: client)
        await gate.arrivals(1)
        monitor.go.signal()
        gate.open()
        #expect(await request.ended().value != nil)
        #expect(numbers.elements == [1, 1, 2, 3])
    }
}
