import Dispatch
import SimpleNetworking

/// Names the place where code runs.
enum Place {
    private static let name = DispatchSpecificKey<String>()

    static func current(actor: (any Actor)?) -> String {
        if let actor { return actor === MainActor.shared ? "main actor" : "actor \(type(of: actor))" }
        if let name = DispatchQueue.getSpecific(key: name) { return name }
        return withUnsafeCurrentTask { $0 == nil ? "some thread" : "a task" }
    }

    /// Makes a client's queue known by name.
    ///
    /// A queue's own label cannot be asked for on every platform.
    static func name(callbackQueueOf client: SimpleNetworking) {
        let queue = client.configuration.callbackQueue
        queue.setSpecific(key: name, value: queue === DispatchQueue.main ? "main queue" : "callback queue")
    }
}
