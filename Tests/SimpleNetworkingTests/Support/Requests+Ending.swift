import SimpleNetworking

extension SimpleRequest {
    /// Waits for the end of a request that is being executed; its handlers have all run then.
    @discardableResult
    func end() async -> Result<SimpleResponse, SimpleNetworkingError> {
        await withCheckedContinuation { continuation in
            let waiting = Mutexed(Optional(continuation))
            // The handler stays with the request, which may be executed again.
            on(
                isolation: nil,
                completion: { outcome in
                    waiting.withLock { waiting in
                        waiting?.resume(returning: outcome)
                        waiting = nil
                    }
                }
            )
        }
    }
}

extension Result where Failure == SimpleNetworkingError {
    var error: SimpleNetworkingError? { if case .failure(let error) = self { error } else { nil } }
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
