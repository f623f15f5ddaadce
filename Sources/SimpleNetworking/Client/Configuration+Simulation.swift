/// What the test kit's simulation sets, and the OAuth product reads.
extension SimpleNetworking.Configuration {
    /// Lets a scheduler run all that the client would run on threads and queues.
    package mutating func simulate(on scheduler: Scheduler) {
        callbackQueues = CallbackQueues(own: OwnQueue(scheduler: scheduler))
    }

    /// What runs the client's tasks in a simulation; nil without one.
    package var scheduler: Scheduler? { callbackQueues.scheduler }
}

extension ResponseCache {
    /// Makes a cache in memory, with a clock of its own.
    package convenience init(clock: @escaping @Sendable () -> Date) { self.init(now: clock) }
}
