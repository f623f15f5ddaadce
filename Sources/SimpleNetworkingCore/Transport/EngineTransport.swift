import SimpleNetworkingSupport

/// Describes its own traits, so that a client can use the transport better.
///
/// The layers above know nothing else about an engine, so another engine only has to conform to this protocol.
package protocol EngineTransport: Transport {
    /// The traits of the transport. The client reads the traits once, when it receives the transport.
    var traits: EngineTraits { get }
}

/// Describes what a client can use of its transport, and what the client must handle itself.
///
/// The traits never change. They are a class so that passing them costs one reference.
package final class EngineTraits: Sendable {
    /// Whether no user code receives the requests.
    package let isOwn: Bool
    /// Whether the transport must know which URLs may receive credentials, because it may have a client certificate.
    package let asksForTrust: Bool
    /// Whether the transport sends text that Foundation's `URL` can't hold.
    package let sendsWrittenURLs: Bool
    /// Whether the transport's responses contain the request.
    package let namesRequests: Bool
    /// The fields that the transport adds to every request.
    package let addedHeaders: HTTPHeaders
    /// The cookies that the transport adds to a request.
    package let addedCookies: @Sendable (URL) -> [String]
    /// Whether the calling thread belongs to the transport and has no other work, so that handlers may run there.
    package let mayRunHandlers: @Sendable () -> Bool
    /// The executor on which tasks resume after a response; nil for Swift's own threads.
    package let executor: PreferredExecutor?

    #if os(Linux)
        package typealias PreferredExecutor = any TaskExecutor
    #else
        /// The type of an executor, which is always nil on Apple's older systems, because they have no task executors.
        package typealias PreferredExecutor = any Executor
    #endif

    /// The traits of the caller's own transport, which may pass requests on to an engine.
    static let unknown = EngineTraits(isOwn: false, asksForTrust: true, sendsWrittenURLs: true)

    package init(
        isOwn: Bool = true,
        asksForTrust: Bool = false,
        sendsWrittenURLs: Bool = false,
        namesRequests: Bool = false,
        addedHeaders: HTTPHeaders = [:],
        addedCookies: @escaping @Sendable (URL) -> [String] = { _ in [] },
        executor: PreferredExecutor? = nil,
        mayRunHandlers: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isOwn = isOwn
        self.asksForTrust = asksForTrust
        self.sendsWrittenURLs = sendsWrittenURLs
        self.namesRequests = namesRequests
        self.addedHeaders = addedHeaders
        self.addedCookies = addedCookies
        self.executor = executor
        self.mayRunHandlers = mayRunHandlers
    }

    /// Starts the task that sends a request and resumes where its response arrives.
    ///
    /// With `mayBeginHere`, the task starts within this call, and passes the request to the engine without a thread
    /// switch.
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
