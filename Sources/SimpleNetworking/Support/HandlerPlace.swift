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
    private static let main = {
        let main = DispatchQueue.main
        main.setSpecific(key: isMainKey, value: true)
        return main
    }()
    private static let isMainKey = DispatchSpecificKey<Bool>()
    // A handler is no task. The tasks that it starts take the value along to wherever they run.
    @TaskLocal
    private static var isHandlerOfMainActor = false

    /// Whether a task or a handler of the main actor runs the code that asks, whatever that says of itself.
    ///
    /// `Thread.isMainThread` is false in a tool whose entry is asynchronous. And one whose main thread waits for a request
    /// runs neither task nor handler there.
    static var isOnMainActor: Bool {
        guard isHandlerOfMainActor || withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
        _ = main
        return DispatchQueue.getSpecific(key: isMainKey) == true
    }

    /// Never runs `work` before it returns.
    func run(_ work: @escaping @Sendable () -> Void) {
        guard let actor else {
            guard queue === Self.main else { return queue.async(execute: work) }
            return queue.async { Self.$isHandlerOfMainActor.withValue(true, operation: work) }
        }
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
