import SimpleNetworkingSupport

/// Holds what an attempt keeps of its responses until it is decided whether they count.
///
/// Nothing is kept of a response that rejects a credential, or that a subclass rejects.
final class Commits: Sendable {
    private let work = Locked<[@Sendable () -> Void]>([])

    func add(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

    /// Keeps nothing.
    func drop() { _ = take() }

    func run() { for work in take() { work() } }

    private func take() -> [@Sendable () -> Void] {
        work.withLock { work in
            defer { work = [] }
            return work
        }
    }
}
