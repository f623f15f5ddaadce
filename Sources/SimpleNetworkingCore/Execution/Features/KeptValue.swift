import SimpleNetworkingSupport

/// What an execution keeps for a feature, and passes on to the next one of the same request and client.
package struct KeptValue<Key: OptionKey>: Sendable {
    let execution: Execution

    package var value: Key.Value {
        get { execution.state.withLock { $0.inherited.kept[Key.self] } }
        nonmutating set { execution.state.withLock { $0.inherited.kept[Key.self] = newValue } }
    }
}

extension Attempt {
    /// What the execution keeps for a feature; it doesn't keep the client.
    package func kept<Key: OptionKey>(_ key: Key.Type) -> KeptValue<Key> { KeptValue(execution: execution) }

    /// The head of the last request that was sent; nil if none was.
    package var headAsSent: RequestHead? { execution.headAsSent }

    /// Drops the commit of an earlier response, because the request is sent again.
    package func dropCommit() { execution.dropCommit(of: plan.round) }
}
