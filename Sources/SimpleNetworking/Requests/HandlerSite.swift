/// Describes where a handler was written: its actor, its place in the source, and the object that it is bound to, if
/// any.
struct HandlerSite: Sendable {
    let actor: (any Actor)?
    /// Whether code without static isolation wrote it while that ran on the main actor.
    let isByMainActor: Bool
    let fileID: StaticString
    let line: UInt
    private let owner: Owner?

    /// Captures the site; must be called where the handler is written.
    init(_ actor: (any Actor)?, _ fileID: StaticString = #fileID, _ line: UInt = #line, owner: AnyObject? = nil) {
        self.actor = actor
        isByMainActor = actor == nil && HandlerPlace.isOnMainActor
        (self.fileID, self.line) = (fileID, line)
        self.owner = owner.map(Owner.init)
    }

    var isBound: Bool { owner != nil }
    /// Whether it is bound to an object that was released.
    var isOwnerReleased: Bool { owner.map { $0.isReleased } ?? false }

    /// The place where the handler runs; a queue that was set by hand wins over the main actor that no code named.
    func place(_ queues: CallbackQueues) -> HandlerPlace {
        let actor = actor ?? (isByMainActor && queues.chosen == nil ? MainActor.shared : nil)
        let own = queues.chosen == nil ? queues.own : queues.simulated
        return HandlerPlace(actor: actor, queue: queues.current, own: own)
    }
}

/// Refers weakly to the object that a handler is bound to.
///
/// Only its presence is used, so any thread may hold it.
private final class Owner: @unchecked Sendable {
    private weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }

    var isReleased: Bool { object == nil }
}

/// The queues for handlers that were written outside any actor.
struct CallbackQueues: Sendable {
    /// The queue that was set by hand, if any.
    var chosen: DispatchQueue?
    /// The client's own queue; nil for the main queue.
    var own: OwnQueue?

    var current: DispatchQueue { chosen ?? own?.queue ?? .main }
    /// What runs handlers in a simulation; nil without one.
    var scheduler: Scheduler? { own?.scheduler }
    /// Where content is decoded.
    var pool: HandlerPlace {
        simulated.map { HandlerPlace(actor: nil, queue: HandlerPlace.poolQueue, own: $0) } ?? .pool
    }

    fileprivate var simulated: OwnQueue? { scheduler == nil ? nil : own }
}
