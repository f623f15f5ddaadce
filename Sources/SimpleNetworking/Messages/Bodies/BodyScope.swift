/// Holds the bodies in production to which the running code belongs.
///
/// The requests that this code makes must not wait for the turn that their own upload has.
struct BodyScope: Sendable {
    @TaskLocal static var current = BodyScope()

    private struct Reference: Sendable {
        weak var body: BodyProduction?
    }

    private var bodies: [Reference] = []

    var isEmpty: Bool { bodies.isEmpty }
    /// Whether any of the bodies is still in production.
    var isRunning: Bool { bodies.contains { $0.body != nil } }

    /// Adds a body, and removes the bodies that are complete.
    func adding(_ body: BodyProduction) -> BodyScope {
        var scope = self
        scope.bodies.removeAll { $0.body == nil }
        scope.bodies.append(Reference(body: body))
        return scope
    }
}

/// Represents the production of a body's chunks, until it is released.
///
/// A task that the code of a body started inherits the scope, and may outlive the body.
final class BodyProduction: Sendable {
    /// The scope of the code that produces the body.
    var scope: BodyScope { BodyScope.current.adding(self) }
}
