/// Where a handler runs: on the actor whose code defines it, or else on a queue.
package struct HandlerPlace: Sendable, Equatable {
    private let actor: (any Actor)?
    private let queue: DispatchQueue
    private let own: OwnQueue?

    private static let poolQueue = DispatchQueue.global()

    /// Returns any thread of the global queue, where no handler runs.
    package static func pool(_ own: OwnQueue?) -> HandlerPlace { HandlerPlace(actor: nil, queue: poolQueue, own: own) }
    package var isPool: Bool { actor == nil && queue === Self.poolQueue }

    /// Without an actor, the place is `queue`, or else the client's own queue, or else the main queue.
    package init(actor: (any Actor)?, queue: DispatchQueue?, own: OwnQueue? = nil) {
        // The main queue is the main actor's executor. Using it preserves the order with handlers on `.main`.
        let isMain = actor === MainActor.shared
        self.actor = isMain ? nil : actor
        self.queue = isMain ? Self.main : queue ?? own?.queue ?? .main
        self.own = actor == nil && queue == nil || own?.scheduler != nil ? own : nil
    }

    /// Stored, because `DispatchQueue.main` is a different object each time on Linux.
    private static let main = {
        let main = DispatchQueue.main
        main.setSpecific(key: isMainKey, value: true)
        return main
    }()
    private static let isMainKey = DispatchSpecificKey<Bool>()
    // Tasks that a handler starts inherit the value, wherever they run.
    @TaskLocal
    private static var isHandlerOfMainActor = false

    /// Whether the calling code runs in a task or a handler of the main actor.
    ///
    /// `Thread.isMainThread` is false in a tool with an asynchronous entry point, and true in a tool whose main thread
    /// waits for a request.
    package static var isOnMainActor: Bool {
        _ = main
        guard DispatchQueue.getSpecific(key: isMainKey) == true else { return false }
        return isHandlerOfMainActor || withUnsafeCurrentTask { $0 != nil }
    }

    /// Runs work in this place, never before this call returns unless that is allowed.
    package func run(mayRunHere: Bool = false, _ work: @escaping @Sendable () -> Void) {
        if let scheduler = own?.scheduler {
            run(work, on: scheduler)
        } else if let actor {
            Task { await Self.run(work, on: actor) }
        } else if let own {
            own.run(mayRunHere: mayRunHere, work)
        } else if queue === Self.main {
            queue.async { Self.$isHandlerOfMainActor.withValue(true, operation: work) }
        } else {
            queue.async(execute: work)
        }
    }

    private static func run(_ work: () -> Void, on actor: isolated any Actor) async { work() }

    /// Runs work when a simulation's scheduler decides; queues other than the client's own lend their thread.
    private func run(_ work: @escaping @Sendable () -> Void, on scheduler: Scheduler) {
        if let actor {
            Task.start(on: scheduler) { await Self.run(work, on: actor) }
        } else if let own, queue === own.queue {
            own.run(mayRunHere: false, work)
        } else if queue === Self.poolQueue {
            scheduler.run(work)
        } else {
            let isMain = queue === Self.main
            scheduler.run { [queue] in
                queue.sync { Self.$isHandlerOfMainActor.withValue(isMain, operation: work) }
            }
        }
    }

    package static func == (left: HandlerPlace, right: HandlerPlace) -> Bool {
        guard let actor = left.actor else { return right.actor == nil && left.queue === right.queue }
        return actor === right.actor
    }

    /// A description of the place, for use after the handler has run.
    package var name: Name { Name(actor: actor.map { type(of: $0) }, queue: queue) }

    /// Describes a place without retaining its actor, which may retain the request whose trace contains the name.
    package struct Name: Sendable, CustomStringConvertible {
        fileprivate let actor: (any Actor.Type)?
        fileprivate let queue: DispatchQueue

        package var description: String {
            if let actor { return "actor \(actor)" }
            return queue.label == HandlerPlace.main.label ? "main" : "queue \(queue.label)"
        }
    }
}
