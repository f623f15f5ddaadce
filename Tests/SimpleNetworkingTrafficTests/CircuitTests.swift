import Foundation
import SimpleNetworkingTestSupport
import Testing

@testable import SimpleNetworkingCore
@testable import SimpleNetworkingTraffic

/// Walks all sequences of what can happen to a circuit.
struct CircuitTests {
    private static let rules = Circuit.Rules(failureShare: 0.5, minimumCalls: 2, window: 10, openTime: 4)

    private enum Step: CaseIterable {
        case call
        case oldestSucceeds, oldestFails, oldestIsUncounted
        case newestSucceeds, newestFails, newestIsUncounted
        case waitHalf, waitAll
    }

    private struct Story {
        var circuit = Circuit(CircuitTests.rules)
        var now = 0.0
        /// Those of requests that have not ended: some never do.
        var permits: [Circuit.Permit] = []
        var steps: [Step] = []

        /// Returns false if the step can't be taken, or is the same as another one.
        mutating func take(_ step: Step) -> Bool {
            steps.append(step)
            switch step {
            case .call: call()
            case .waitHalf: now += CircuitTests.rules.openTime / 2
            case .waitAll: now += CircuitTests.rules.openTime
            case .oldestSucceeds: return settleOldest(.success)
            case .oldestFails: return settleOldest(.failure)
            case .oldestIsUncounted: return settleOldest(.uncounted)
            case .newestSucceeds: return settleNewest(.success)
            case .newestFails: return settleNewest(.failure)
            case .newestIsUncounted: return settleNewest(.uncounted)
            }
            return true
        }

        private mutating func call() {
            let before = circuit.phase
            switch circuit.admit(at: now) {
            case .passed(let permit):
                #expect(permit.isProbe == (before != .closed), "\(steps)")
                permits.append(permit)
            case .refused(let until):
                #expect(before != .closed, "\(steps)")
                #expect(now < until && until <= now + CircuitTests.rules.openTime, "\(steps)")
            }
        }

        private mutating func settleOldest(_ outcome: Circuit.Outcome) -> Bool {
            guard !permits.isEmpty else { return false }
            settle(permits.removeFirst(), outcome)
            return true
        }

        private mutating func settleNewest(_ outcome: Circuit.Outcome) -> Bool {
            guard permits.count > 1 else { return false }
            settle(permits.removeLast(), outcome)
            return true
        }

        private mutating func settle(_ permit: Circuit.Permit, _ outcome: Circuit.Outcome) {
            let before = circuit.phase
            let change = circuit.settle(permit, outcome, at: now)
            switch change {
            case .none: #expect((before == .closed) == (circuit.phase == .closed), "\(steps)")
            case .opened: #expect(outcome == .failure && circuit.phase == .open(until: now + 4), "\(steps)")
            case .closed: #expect(outcome == .success && circuit.phase == .closed, "\(steps)")
            }
        }

        /// Whatever came before, one success after the pause is enough.
        func expectRecovery() {
            var story = self
            story.now += CircuitTests.rules.openTime
            guard case .passed(let permit) = story.circuit.admit(at: story.now) else {
                Issue.record("it stays closed to all: \(steps)")
                return
            }
            _ = story.circuit.settle(permit, .success, at: story.now)
            #expect(story.circuit.phase == .closed, "\(steps)")
        }
    }

    @Test
    func everySequenceOfOutcomesRecovers() {
        var count = 0
        func walk(_ story: Story, depth: Int) {
            count += 1
            story.expectRecovery()
            guard depth > 0 else { return }
            for step in Step.allCases {
                var next = story
                if next.take(step) { walk(next, depth: depth - 1) }
            }
        }
        walk(Story(), depth: 7)
        #expect(count > 50_000)
    }

    private func passed(_ circuit: inout Circuit, at now: Double) throws -> Circuit.Permit {
        guard case .passed(let permit) = circuit.admit(at: now) else { throw Surprise("it was refused") }
        return permit
    }

    private func open(_ circuit: inout Circuit, at now: Double = 0) throws {
        for _ in 0..<2 { _ = circuit.settle(try passed(&circuit, at: now), .failure, at: now) }
    }

    /// resilience4j #544, #903, #935.
    @Test
    func aProbeThatSaysNothingGivesItsPermitBack() throws {
        var circuit = Circuit(Self.rules)
        try open(&circuit)
        let probe = try passed(&circuit, at: 4)
        #expect(circuit.admit(at: 5) == .refused(until: 8))
        #expect(circuit.settle(probe, .uncounted, at: 5) == .none)
        #expect(try passed(&circuit, at: 5).isProbe)
    }

    @Test
    func aProbeThatNeverEndsKeepsNobodyOutForLong() throws {
        var circuit = Circuit(Self.rules)
        try open(&circuit)
        let lost = try passed(&circuit, at: 4)
        #expect(circuit.admit(at: 7.9) == .refused(until: 8))
        let second = try passed(&circuit, at: 8)
        #expect(circuit.settle(second, .success, at: 9) == .closed)
        #expect(circuit.settle(lost, .failure, at: 10) == .none)
        #expect(circuit.phase == .closed)
    }

    @Test
    func whatBeganBeforeItOpenedDecidesNothingLater() throws {
        var circuit = Circuit(Self.rules)
        let late = try passed(&circuit, at: 0)
        try open(&circuit)
        #expect(circuit.settle(late, .success, at: 1) == .none)
        #expect(circuit.phase == .open(until: 4))
        _ = circuit.settle(try passed(&circuit, at: 4), .success, at: 4)
        #expect(circuit.settle(late, .failure, at: 5) == .none)
        #expect(circuit.settle(try passed(&circuit, at: 5), .failure, at: 5) == .none)
    }

    @Test
    func onlyFailuresWithinTheWindowCount() throws {
        var circuit = Circuit(Self.rules)
        _ = circuit.settle(try passed(&circuit, at: 0), .failure, at: 0)
        #expect(circuit.settle(try passed(&circuit, at: 10), .failure, at: 10) == .none)
        #expect(circuit.settle(try passed(&circuit, at: 11), .failure, at: 11) == .opened)
    }

    @Test
    func theShareOfFailuresDecides() throws {
        var circuit = Circuit(Circuit.Rules(failureShare: 0.5, minimumCalls: 4, window: 10, openTime: 4))
        for _ in 0..<3 { _ = circuit.settle(try passed(&circuit, at: 0), .success, at: 0) }
        #expect(circuit.settle(try passed(&circuit, at: 0), .failure, at: 0) == .none)
        #expect(circuit.settle(try passed(&circuit, at: 0), .failure, at: 0) == .none)
        #expect(circuit.settle(try passed(&circuit, at: 0), .failure, at: 0) == .opened)
    }
}
