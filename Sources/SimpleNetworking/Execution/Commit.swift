/// What a response leaves behind once it is accepted, such as the file of a download.
///
/// A commit is carried out, or dropped, once. If it is released before, it is dropped.
final class Commit: Sendable {
    private struct Work: Sendable {
        let carryOut: @Sendable () throws -> Void
        let drop: @Sendable () -> Void
    }

    private let work: Locked<Work?>

    init(_ carryOut: @escaping @Sendable () throws -> Void, orDrop drop: @escaping @Sendable () -> Void) {
        work = Locked(Work(carryOut: carryOut, drop: drop))
    }

    deinit { drop() }

    func carryOut() throws {
        guard let work = work.take() else { throw CancellationError() }
        try work.carryOut()
    }

    func drop() { work.take()?.drop() }
}
