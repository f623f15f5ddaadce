import Foundation
import Testing

@testable import SimpleNetworkingCore

@Suite
struct DeliveryGateTests {
    @Test
    func handlersWaitForTheCallThatBeganTheExecution() {
        var gate = DeliveryGate(holdsHandlers: true)
        check(gate.open())
        check(!gate.staysOpen())
        check(gate.release())
        check(gate.open())
        check(gate.staysOpen())
    }

    @Test
    func handlersWaitForTheLastOfSeveralCalls() {
        var gate = DeliveryGate(holdsHandlers: false)
        for _ in 0..<3 { gate.hold() }
        check(gate.open())
        check(!gate.staysOpen())
        check(!gate.release())
        check(!gate.release())
        check(gate.release())
    }

    @Test
    func aCallForWhichNoHandlerWaitsTellsNobody() {
        var gate = DeliveryGate(holdsHandlers: true)
        check(!gate.release())
        check(gate.open())
        check(gate.staysOpen())
    }

    @Test
    func thereIsOneRunAtATime() {
        var gate = DeliveryGate(holdsHandlers: false)
        check(gate.open())
        check(!gate.open())
        gate.close()
        check(gate.open())
    }

    /// A handler that retries makes such a call while it runs: the run ends, and the call's return begins the next one.
    @Test
    func aCallWithinARunMakesTheRestWait() {
        var gate = DeliveryGate(holdsHandlers: false)
        check(gate.open())
        gate.hold()
        check(!gate.staysOpen())
        check(gate.open(), "it was closed")
        check(!gate.staysOpen())
        check(gate.release())
        gate.hold()
        check(!gate.release(), "handlers were told of the first call")
    }

    private func check(_ condition: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation)
    {
        #expect(condition, comment, sourceLocation: sourceLocation)
    }
}
