extension SimpleNetworking {
    /// Executes a request and waits for its end.
    ///
    /// A private copy of the request is executed, handlers and all, and the call returns when the last handler has run.
    /// It cannot hang by a handler that forgets the request: that ends with `.abandoned`. Calling `cancel()` on the
    /// request, or cancelling the task, ends it.
    ///
    /// - Parameter request: The request, with or without handlers.
    /// - Returns: The successful response.
    /// - Throws: `SimpleNetworkingError`, or `CancellationError` when the execution was cancelled.
    nonisolated public func send(_ request: SimpleRequest) async throws -> SimpleResponse {
        try await send(request, to: nil)
    }

    /// The same, with the content of a success going where it is wanted, in the format that is wanted; nil leaves that to
    /// the request.
    nonisolated func send(
        _ request: SimpleRequest,
        to destination: ContentDestination?,
        _ format: StreamFormat? = nil
    ) async throws -> SimpleResponse {
        let canceller = Canceller()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let completion = Completion { outcome in
                    continuation.resume(with: outcome.mapError(\.asThrown))
                }
                let run = request.copy(awaitedBy: completion)
                if let destination { run.specify { $0.destination = destination } }
                format?.ask(in: run)
                canceller.arm(run)
                run.execute(on: self)
                // `run` and `completion` end here: nothing on this task's frame keeps them alive while it waits.
            }
        } onCancel: {
            canceller.cancel()
        }
    }
}

extension SimpleNetworkingError {
    /// What an awaiting caller gets to see: Swift's own error for a cancelled task.
    fileprivate var asThrown: any Error { isCancellation ? CancellationError() : self }
}

/// Remembers weakly what to cancel, and whether it was cancelled before there was anything.
private final class Canceller: Sendable {
    private struct State {
        weak var core: RequestCore?
        var isCancelled = false
    }

    private let state = Locked(State())

    func arm(_ request: SimpleRequest) {
        let isCancelled = state.withLock { state in
            state.core = request.core
            return state.isCancelled
        }
        if isCancelled { request.cancel() }
    }

    func cancel() {
        let core = state.withLock { state in
            state.isCancelled = true
            return state.core
        }
        core?.cancel()
    }
}
