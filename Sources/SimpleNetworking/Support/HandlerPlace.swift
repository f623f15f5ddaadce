/// Where a handler runs: on the actor whose code wrote it, or, written outside any actor, on a queue.
struct HandlerPlace: Sendable, Equatable, CustomStringConvertible {
    private let actor: (any Actor)?
    private let queue: DispatchQueue

    /// No handler's place: any thread that nobody waits for.
    static let pool = HandlerPlace(actor: nil, queue: .global())

    init(actor: (any Actor)?, queue: DispatchQueue) {
        // The main queue is the main actor's executor. Using it keeps the order with handlers that ask for `.main`.
        let isMain = actor === MainActor.shared
        self.actor = isMain ? nil : actor
        self.queue = isMain ? Self.main : queue
    }

    /// Kept, since `DispatchQueue.main` is another object each time on Linux.
    private static let main = DispatchQueue.main

    /// Never runs `work` before it returns.
    func run(_ work: @escaping @Sendable () -> Void) {
        guard let actor else { return queue.async(execute: work) }
        Task { await Self.run(work, on: actor) }
    }

    private static func run(_ work: () -> Void, on actor: isolated any Actor) async { work() }

    static func == (left: HandlerPlace, right: HandlerPlace) -> Bool {
        guard let actor = left.actor else { return right.actor == nil && left.queue === right.queue }
        return actor === right.actor
    }

    var description: String {
        if let actor { return "actor \(type(of: actor))" }
        return queue.label == Self.main.label ? "main" : "queue \(queue.label)"
    }
}
