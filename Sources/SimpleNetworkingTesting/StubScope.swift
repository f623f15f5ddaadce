import SimpleNetworking

/// Keeps the stubs that one test makes, so that its end can verify them, and the lines of its failures.
///
/// What a test's tasks inherit decides to which test a stub belongs; one made in a detached task belongs to none.
package final class StubScope: Sendable {
    /// The scope of the running test; nil where the test library has opened none.
    @TaskLocal package static var current: StubScope?

    private struct State {
        var stubs: [StubTransport] = []
        var failures: [any PlacedFailure] = []
    }

    private let state = Locked(State())

    /// Makes the scope of one test.
    package init() {}

    /// Makes a stub of this test that no line of it has made.
    package func makeStub() -> StubTransport {
        let stub = StubTransport(at: nil)
        add(stub)
        return stub
    }

    func add(_ stub: StubTransport) { state.withLock { $0.stubs.append(stub) } }

    /// Notes a failure that is about to be thrown, and returns it.
    static func noted<Failure: PlacedFailure>(_ failure: Failure) -> Failure {
        current?.state.withLock { $0.failures.append(failure) }
        return failure
    }

    /// The failure of this test that has a description.
    ///
    /// XCTest on Linux keeps only the description of what was thrown.
    package func failure(described description: String) -> (any PlacedFailure)? {
        state.withLock(\.failures).last { description.contains($0.description) }
    }

    /// Verifies the test's stubs, except those that it has verified itself; rules that are unused because the test did
    /// not reach its end are no failure.
    package func failures(afterEnd hasEnded: Bool) -> [any PlacedFailure] {
        state.withLock(\.stubs).filter { !$0.isVerified }.flatMap { $0.unmet(withUnused: hasEnded) }
    }
}
