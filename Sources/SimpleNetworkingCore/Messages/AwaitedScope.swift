import SimpleNetworkingSupport

/// Holds the work for which a request keeps its turn, and to which the running code belongs: the production of its body,
/// and the reading of its credential.
///
/// The requests that this code makes must not wait for the turn that the other request has.
struct AwaitedScope: Sendable {
    @TaskLocal static var current = AwaitedScope()

    private struct Reference: Sendable {
        weak var work: AwaitedWork?
    }

    private var all: [Reference] = []

    var isEmpty: Bool { all.isEmpty }
    /// Whether any of the work is still going on.
    var isRunning: Bool { all.contains { $0.work != nil } }

    /// Adds work, and removes the work that is complete.
    func adding(_ work: AwaitedWork) -> AwaitedScope {
        var scope = self
        scope.all.removeAll { $0.work == nil }
        scope.all.append(Reference(work: work))
        return scope
    }
}

/// Represents work for which a request keeps its turn, until it is released.
///
/// A task that this work started inherits the scope, and may outlive the work.
final class AwaitedWork: Sendable {
    /// The scope of the code that does the work.
    var scope: AwaitedScope { AwaitedScope.current.adding(self) }
}
