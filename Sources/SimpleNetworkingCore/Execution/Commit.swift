import SimpleNetworkingSupport

/// What a response leaves behind once it is accepted, such as a file.
///
/// A commit is carried out, or dropped, once. If it is released before, it is dropped.
package final class Commit: Sendable {
    private struct Work: Sendable {
        let carryOut: @Sendable () throws -> Void
        let drop: @Sendable () -> Void
        let expectDrop: @Sendable () -> Void
    }

    private let work: Locked<Work?>

    package init(
        _ carryOut: @escaping @Sendable () throws -> Void,
        orDrop drop: @escaping @Sendable () -> Void,
        expectingDrop expectDrop: @escaping @Sendable () -> Void = {}
    ) {
        work = Locked(Work(carryOut: carryOut, drop: drop, expectDrop: expectDrop))
    }

    deinit { drop() }

    func carryOut() throws {
        guard let work = work.take() else { throw CancellationError() }
        try work.carryOut()
    }

    /// Lets others wait for the drop, which follows.
    func expectDrop() { work.withLock { $0 }?.expectDrop() }

    package func drop() { work.take()?.drop() }
}
