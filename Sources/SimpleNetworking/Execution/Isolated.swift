/// A handler, the actor it was written on, the place in the source, and the object that it is bound to, if any.
///
/// Handlers are plain closures, not `@Sendable` ones, so that they may touch the state around the place where they are
/// written. That is sound as long as they run where they were written: on `actor`, or on the callback queue. Hence the
/// unchecked conformance. Of the owner nothing is used but whether it is still there.
struct Isolated<Body>: @unchecked Sendable {
    let actor: (any Actor)?
    let fileID: StaticString
    let line: UInt
    var owner: Owner?
    let body: Body

    var isBound: Bool { owner != nil }
    /// Whether it is bound to an object that is gone.
    var isOrphan: Bool { owner.map { $0.object == nil } ?? false }

    /// The same handler with another body.
    func with<Other>(_ body: Other) -> Isolated<Other> {
        Isolated<Other>(actor: actor, fileID: fileID, line: line, owner: owner, body: body)
    }
}
