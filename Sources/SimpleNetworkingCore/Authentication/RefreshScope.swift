import SimpleNetworkingSupport

/// Holds the refreshes to which the running code belongs, and for which its requests must not wait.
///
/// A task that a refresh started inherits the scope, and may outlive the refresh. An execution keeps the scope of the
/// code that started it, for its handlers, its retries and its follow-ups, because another refresh may resume it.
package struct RefreshScope: Sendable {
    @TaskLocal package static var current = RefreshScope()

    private var refreshes: [RunningRefresh] = []
    /// What other requests wait for, and to which the code that made a request belongs.
    private var awaited = AwaitedScope()

    /// The scope of a request that the running code makes.
    static var ofNewRequest: RefreshScope {
        var scope = current
        scope.awaited = .current
        return scope
    }

    /// Whether any of the refreshes is still running.
    var isRunning: Bool { refreshes.contains { $0.isRunning } }

    /// Whether another request waits for this one: one to be signed, or an upload, which keeps its turn meanwhile.
    var isAwaited: Bool { isRunning || awaited.isRunning }

    /// Returns whether any of a client's refreshes is still running.
    func isRunning(of client: ObjectIdentifier) -> Bool { refreshes.contains { $0.client == client && $0.isRunning } }

    /// Adds a refresh, and removes the refreshes that have ended.
    func adding(_ refresh: RunningRefresh) -> RefreshScope {
        var scope = self
        scope.refreshes.removeAll { !$0.isRunning }
        scope.refreshes.append(refresh)
        return scope
    }

    /// Notes that code of these refreshes empties a store, and returns false if none of them is running.
    package func noteRemoval(from store: any UserStore) -> Bool {
        // Not `contains`, because each of them may fail.
        refreshes.map { $0.noteRemoval(from: store) }.contains(true)
    }

    /// Runs code that belongs to only these refreshes, and to only this awaited work.
    func run<Result>(_ work: () -> Result) -> Result {
        let isPlain = refreshes.isEmpty && awaited.isEmpty
        if isPlain, Self.current.refreshes.isEmpty, AwaitedScope.current.isEmpty { return work() }
        return AwaitedScope.$current.withValue(awaited) { Self.$current.withValue(self, operation: work) }
    }
}

/// Represents a refresh of a client's credential until the refresh reports its end.
final class RunningRefresh: Sendable {
    let client: ObjectIdentifier
    /// The stores that the refresh has emptied; nil after its end.
    private let stores = Locked<[any UserStore]?>([])

    init(of client: ObjectIdentifier) { self.client = client }

    var isRunning: Bool { stores.withLock { $0 != nil } }

    /// Notes that the refresh empties a store, or returns false if the refresh has ended.
    func noteRemoval(from store: any UserStore) -> Bool {
        stores.withLock { stores in
            stores?.append(store)
            return stores != nil
        }
    }

    /// Ends the refresh.
    ///
    /// After a failure, the data that follows the removed data may belong to another user.
    func end(_ error: (any Error)?) {
        let emptied = stores.take() ?? []
        if error != nil { for store in emptied { store.changeUser() } }
    }
}

/// Stores data of one user at a time, which is sent with requests.
package protocol UserStore: Sendable {
    /// Lets the data belong to another user from now on.
    func changeUser()
}
