import Foundation
import SimpleNetworkingSupport
import Testing

@testable import SimpleNetworkingCore

@Suite(.timeLimit(.minutes(5)))
struct HandoverTests {
    private let values = Handover<Int>()

    @Test(arguments: [true, false])
    func valuesAreTakenInOrderWithEitherSideFirst(takerIsFirst: Bool) async throws {
        let taken = Task {
            var taken: [Int] = []
            while let value = try await values.take() {
                taken.append(value)
                if !takerIsFirst { await Task.yield() }
            }
            return taken
        }
        for value in 1...100 {
            if takerIsFirst { await Task.yield() }
            try await values.give(value)
        }
        values.finish()
        #expect(try await taken.value == Array(1...100))
        #expect(try await values.take() == nil)
    }

    @Test
    func giverWaitsUntilTheValueIsTaken() async throws {
        let given = Recorder<Int>()
        let giver = Task { [values] in
            try await values.give(1)
            given.add(1)
        }
        for _ in 1...50 { await Task.yield() }
        #expect(given.elements == [])
        #expect(try await values.take() == 1)
        try await giver.value
    }

    @Test
    func errorReplacesAValueThatWasNotTaken() async throws {
        let giver = Task { [values] in try await values.give(1) }
        for _ in 1...50 { await Task.yield() }
        values.finish(throwing: Surprise("no"))
        await #expect(throws: Surprise.self) { try await values.take() }
        await #expect(throws: CancellationError.self) { try await giver.value }
        await #expect(throws: CancellationError.self) { try await values.give(2) }
    }

    @Test
    func waitingSideCanBeCancelled() async throws {
        let taker = Task { [values] in try await values.take() }
        taker.cancel()
        await #expect(throws: CancellationError.self) { try await taker.value }
        let others = Handover<Int>()
        let giver = Task { try await others.give(1) }
        giver.cancel()
        await #expect(throws: CancellationError.self) { try await giver.value }
        others.finish()
        #expect(try await others.take() == nil)
    }
}
