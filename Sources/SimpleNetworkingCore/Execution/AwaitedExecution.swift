import SimpleNetworkingSupport

/// A test's clock, which ends what a caller awaits if no time passes.
package protocol AwaitedClock: RequestClock {
    func note(_ execution: AwaitedExecution)
}

/// An execution that a caller awaits.
package struct AwaitedExecution: Sendable {
    fileprivate weak var execution: Execution?

    /// The trace so far; nil after the end.
    package var trace: RequestTrace? { execution.flatMap { $0.isActive ? $0.trace(of: "") : nil } }

    package func end(with error: any Error) {
        execution?.endIfPossible {
            $0.end(.failure(.failed(error, request: $0.attempt.head, response: $0.machine.response)), at: $1)
        }
    }
}

extension Execution {
    /// Lets a test's clock know that a caller waits; in a simulation, time passes by itself.
    func noteCaller() {
        let settings = state.withLock { $0.lastSettings }
        guard let clock = settings?.testClock?.value as? any AwaitedClock, settings?.configuration.scheduler == nil
        else { return }
        clock.note(AwaitedExecution(execution: self))
    }
}
