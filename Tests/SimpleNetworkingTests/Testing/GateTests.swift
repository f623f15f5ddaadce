import SimpleNetworkingTesting
import Testing

/// Waiting for a gate, and the end of a wait by cancellation.
@Suite(.timeLimit(.minutes(5)))
struct GateTests {
    @Test
    func everyCancelledWaitEnds() async {
        var missed = 0
        for _ in 0..<200 {
            let gate = Gate()
            // Returns whether the wait ended by cancellation.
            let waits = (0..<100).map { _ in
                Task.detached {
                    do {
                        try await gate.wait()
                        return false
                    } catch { return true }
                }
            }
            for wait in waits { wait.cancel() }
            // All have begun to wait, and all were cancelled: whatever is left has missed that.
            await gate.arrivals(waits.count)
            gate.open()
            for wait in waits where await !wait.value { missed += 1 }
        }
        #expect(missed == 0)
    }

    @Test
    func anOpenGateLetsTasksPass() async throws {
        let gate = Gate()
        gate.open()
        try await gate.wait()
    }
}
