import SimpleNetworkingCore
import SimpleNetworkingSupport

/// Keeps the stubs that one test makes, to verify them at its end, and the lines of the test's failures.
///
/// Task-local values decide which test a stub belongs to; a stub created in a detached task belongs to none.
package final class StubScope: Sendable {
    /// The scope of the running test; nil if the test library has opened none.
    @TaskLocal package static var current: StubScope?

    private struct State {
        var stubs: [StubTransport] = []
        var failures: [any PlacedFailure] = []
    }

    private let state = Locked(State())

    /// Creates the scope of one test.
    package init() {}

    /// Creates a stub of this test that is not attributed to a line.
    package func makeStub() -> StubTransport {
        let stub = StubTransport(at: nil)
        add(stub)
        return stub
    }

    func add(_ stub: StubTransport) { state.withLock { $0.stubs.append(stub) } }

    /// Records a failure that is about to be thrown, and returns it.
    static func noted<Failure: PlacedFailure>(_ failure: Failure) -> Failure {
        current?.state.withLock { $0.failures.append(failure) }
        return failure
    }

    /// Returns the failure of this test that has a description.
    ///
    /// XCTest on Linux keeps only the description of a thrown error.
    package func failure(described description: String) -> (any PlacedFailure)? {
        state.withLock(\.failures).last { description.contains($0.description) }
    }

    /// Verifies the test's stubs, except those that the test has verified.
    ///
    /// If the test did not reach its end, unused rules are not failures.
    package func failures(afterEnd hasEnded: Bool) -> [any PlacedFailure] {
        state.withLock(\.stubs).filter { !$0.isVerified }.flatMap { $0.unmet(withUnused: hasEnded) }
    }
}
