/// A client that calls back: each call makes the next request, with no other thread in between.
protocol HandlerClient: Client {
    /// Gets and decodes an item.
    func item(at path: String, then done: @escaping @Sendable (Result<Item, any Error>) -> Void)
}

extension HandlerClient {
    func run(_ budget: Budget) async throws {
        try await withCheckedThrowingContinuation { next(of: budget, continuation: $0) }
    }

    private func next(of budget: Budget, continuation: CheckedContinuation<Void, any Error>) {
        guard budget.take() else { return continuation.resume() }
        let start = Clock.now
        item(at: budget.path) { result in
            switch result {
            case .success:
                budget.record(since: start)
                next(of: budget, continuation: continuation)
            case .failure(let error): continuation.resume(throwing: error)
            }
        }
    }
}
