/// Holds the refreshes to which the running code belongs, and for which its requests must not wait.
///
/// A task that a refresh started inherits the scope, and may outlive the refresh. An execution keeps the scope of the
/// code that started it, for its handlers, its retries and its additional pages, because another refresh may resume it.
struct RefreshScope: Sendable {
    private struct Refresh: Sendable {
        let client: ObjectIdentifier
        let number: Int
    }

    @TaskLocal static var current = RefreshScope()

    private var refreshes: [Refresh] = []

    var isEmpty: Bool { refreshes.isEmpty }

    /// Returns the numbers of a client's refreshes.
    func numbers(of client: ObjectIdentifier) -> [Int] {
        refreshes.isEmpty ? [] : refreshes.filter { $0.client == client }.map(\.number)
    }

    /// Adds a client's refresh, and removes the client's refreshes that have ended.
    func adding(_ number: Int, of client: ObjectIdentifier, whereRunning isRunning: (Int) -> Bool) -> RefreshScope {
        var scope = self
        scope.refreshes.removeAll { $0.client == client && !isRunning($0.number) }
        scope.refreshes.append(Refresh(client: client, number: number))
        return scope
    }

    /// Runs code that belongs to only these refreshes.
    func run<Result>(_ work: () -> Result) -> Result {
        if refreshes.isEmpty, Self.current.isEmpty { return work() }
        return Self.$current.withValue(self, operation: work)
    }
}
