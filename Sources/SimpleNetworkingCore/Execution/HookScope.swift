import SimpleNetworkingSupport

/// The code of a client's `execute(request:)`, and the tasks that it starts.
enum HookScope {
    /// The execution whose request the code is to pass on.
    @TaskLocal static var execution: ObjectIdentifier?
}

extension Execution {
    /// Whether the running code is the client's, which has not passed the request on yet.
    var isInHook: Bool { HookScope.execution == ObjectIdentifier(self) && isSubmitted }

    /// Calls the client's `execute(request:)`, which a subclass may override.
    func enter(_ request: SimpleRequest, on client: SimpleNetworking) {
        guard client.mayHaveHooks else { return client.execute(request: request) }
        HookScope.$execution.withValue(ObjectIdentifier(self)) { client.execute(request: request) }
        // The client may hold the request back, and may have chosen the user.
        bind(request, to: client)
        watchOwnersIfNeeded()
    }
}
