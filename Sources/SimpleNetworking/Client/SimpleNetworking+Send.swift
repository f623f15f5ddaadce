extension SimpleNetworking {
    /// Executes a request and waits for its end.
    ///
    /// A private copy of the request is executed, including its handlers, and the call returns when the last handler
    /// has run. It can't hang: if a handler that took the request over releases it, the call ends with `.abandoned`.
    /// Calling `cancel()` on the request, or cancelling the task, ends it.
    ///
    /// - Parameter request: The request, with or without handlers.
    /// - Returns: The successful response.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the execution was cancelled.
    @discardableResult
    nonisolated public func send(_ request: SimpleRequest) async throws -> SimpleResponse {
        try await send(request, to: nil)
    }

    /// Sends a request whose content goes to this destination, in this format; nil leaves either to the request.
    nonisolated func send(
        _ request: SimpleRequest,
        to destination: ContentDestination?,
        _ format: StreamFormat? = nil
    ) async throws -> SimpleResponse {
        let canceller = Canceller()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let caller = AwaitingCaller(request) { continuation.resume(with: $0.mapError(\.asThrown)) }
                let copy = request.copy()
                if let destination { copy.specify { $0.destination = destination } }
                format?.ask(in: copy)
                if canceller.isCancelled { copy.cancel() }
                copy.submit(isFresh: true, on: self, caller)
                canceller.arm(copy.state.withLock { $0.execution })
                // While it waits, this task's frame must not retain `copy` and `caller`.
            }
        } onCancel: {
            canceller.cancel()
        }
    }
}

extension SimpleNetworkingError {
    /// The error that an awaiting caller gets: Swift's own for a cancelled task.
    fileprivate var asThrown: any Error { isCancellation ? CancellationError() : self }
}

/// Refers to the execution to cancel, and remembers whether it was cancelled before there was one.
private final class Canceller: Sendable {
    private struct State {
        var execution: Execution?
        var isCancelled = false
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func arm(_ execution: Execution?) {
        let isCancelled = state.withLock { state in
            state.execution = execution
            return state.isCancelled
        }
        if isCancelled { execution?.cancel() }
    }

    func cancel() {
        let execution = state.withLock { state in
            state.isCancelled = true
            return state.execution
        }
        execution?.cancel()
    }
}
