/// What a request needs of the client that executes it.
protocol RequestExecutor: AnyObject, Sendable {
    func execute(request: SimpleRequest)
    func plan(for request: SimpleRequest) throws(SimpleNetworkingError) -> RequestPlan
    func decoder(for request: SimpleRequest) -> any ResponseDecoder
    var flight: SingleFlight { get }
    var executionSettings: ExecutionSettings { get }
}

/// Where handlers run that were written outside any actor.
struct CallbackQueues: Sendable {
    /// What was set by hand, if anything.
    var chosen: DispatchQueue?
    var usual: DispatchQueue
}

/// What of a client's configuration concerns the execution and not the message.
struct ExecutionSettings: Sendable {
    var callbackQueues: CallbackQueues
    var maxRetries: Int
    var deadline: TimeInterval?
    var takeoverTimeout: TimeInterval
    var clock: any RequestClock
    var logger: RequestLogger
    var monitors: [any EventMonitor]
    var memory: SecretMemory

    /// Whether anybody wants to hear what happens.
    var isObserved: Bool { logger.level >= .info || !monitors.isEmpty }
}
