/// A handler, the actor it was written on, the place in the source, and the object that it is bound to, if any.
///
/// Handlers are plain closures, not `@Sendable` ones, so that they may touch the state around the place where they are
/// written. That is sound as long as they run where they were written: on `actor`, on the main actor if its code called
/// what wrote them, or on the callback queue. Hence the
/// unchecked conformance. Of the owner nothing is used but whether it is still there.
struct Isolated<Body>: @unchecked Sendable {
    let actor: (any Actor)?
    /// Whether code of no actor's wrote it, while that ran on the main actor.
    let isByMainActor: Bool
    let fileID: StaticString
    let line: UInt
    var owner: Owner?
    let body: Body

    /// Takes down where the handler is written: where this is called.
    init(actor: (any Actor)?, fileID: StaticString, line: UInt, owner: Owner? = nil, body: Body) {
        let isByMainActor = actor == nil && HandlerPlace.isOnMainActor
        self.init(actor, isByMainActor: isByMainActor, fileID, line, owner, body)
    }

    fileprivate init(
        _ actor: (any Actor)?,
        isByMainActor: Bool,
        _ fileID: StaticString,
        _ line: UInt,
        _ owner: Owner?,
        _ body: Body
    ) {
        (self.actor, self.isByMainActor) = (actor, isByMainActor)
        (self.fileID, self.line) = (fileID, line)
        (self.owner, self.body) = (owner, body)
    }

    var isBound: Bool { owner != nil }
    /// Whether it is bound to an object that is gone.
    var isOrphan: Bool { owner.map { $0.object == nil } ?? false }

    /// The same handler with another body.
    func with<Other>(_ body: Other) -> Isolated<Other> {
        Isolated<Other>(actor, isByMainActor: isByMainActor, fileID, line, owner, body)
    }
}
