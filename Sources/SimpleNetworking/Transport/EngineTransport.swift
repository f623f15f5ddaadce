/// A transport that tells more of itself than others do, so that a client can use it better.
///
/// This is all that the rooms above know of an engine: another one conforms to it, and nothing else changes.
protocol EngineTransport: Transport {
    /// What the client may use, and has to see to. It is read once, when a client gets the transport.
    var traits: EngineTraits { get }
}

/// Says what a client may use of its transport, and what it has to see to by itself.
///
/// It never changes, and is a class so that passing it on costs one reference.
final class EngineTraits: Sendable {
    /// Whether no code of a user's takes the requests.
    let isOwn: Bool
    /// Whether it has to know which URLs may receive credentials: it may have a client certificate.
    let asksForTrust: Bool
    /// Whether it names the request in each response.
    let namesRequests: Bool
    /// The fields that it adds to every request by itself.
    let addedHeaders: HTTPHeaders
    /// The cookies that it adds to a request by itself.
    let addedCookies: @Sendable (URL) -> [String]
    /// Whether the calling thread is one of its own, with nothing more to do, so that handlers may run there.
    let mayRunHandlers: @Sendable () -> Bool
    /// Where tasks go on after a response; nil for Swift's own threads.
    let executor: PreferredExecutor?

    #if os(Linux)
        typealias PreferredExecutor = any TaskExecutor
    #else
        /// Apple's older systems have no executors for tasks: it is always nil there.
        typealias PreferredExecutor = any Executor
    #endif

    /// A transport of a user's own: nothing is known of it, and it may pass requests on to an engine.
    static let unknown = EngineTraits(isOwn: false, asksForTrust: true)

    init(
        isOwn: Bool = true,
        asksForTrust: Bool = false,
        namesRequests: Bool = false,
        addedHeaders: HTTPHeaders = [:],
        addedCookies: @escaping @Sendable (URL) -> [String] = { _ in [] },
        executor: PreferredExecutor? = nil,
        mayRunHandlers: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isOwn = isOwn
        self.asksForTrust = asksForTrust
        self.namesRequests = namesRequests
        self.addedHeaders = addedHeaders
        self.addedCookies = addedCookies
        self.executor = executor
        self.mayRunHandlers = mayRunHandlers
    }

    /// Starts the task that sends a request and goes on where its response arrives.
    ///
    /// With `mayBeginHere` it begins within this call, which passes the request to the engine without a hop.
    func start<Success: Sendable>(
        on scheduler: Scheduler?,
        mayBeginHere: Bool,
        _ work: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        #if compiler(>=6.2) && os(Linux)
            let executor = scheduler.map(\.taskExecutor) ?? executor
            if mayBeginHere { return Task.immediate(executorPreference: executor, operation: work) }
            return Task(executorPreference: executor, operation: work)
        #else
            return Task.start(on: scheduler, work)
        #endif
    }
}
