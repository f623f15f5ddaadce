/// A client that calls back: each call makes the next request, with no other thread in between.
protocol HandlerClient: Client {
    /// Gets and decodes an item.
    func item(at path: String, then done: @escaping @Sendable (Result<Item, any Error>) -> Void)

    /// Gets content into memory, and gives the number of its bytes.
    func content(at path: String, then done: @escaping @Sendable (Result<Int, any Error>) -> Void)
}

extension HandlerClient {
    func content(at path: String) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            content(at: path) { continuation.resume(with: $0) }
        }
    }

    func run(_ budget: Budget) async throws {
        try await withCheckedThrowingContinuation { next(of: budget, continuation: $0) }
    }

    private func next(of budget: Budget, continuation: CheckedContinuation<Void, any Error>) {
        guard budget.take() else { return continuation.resume() }
        let start = Clock.now
        if budget.decodes {
            item(at: budget.path) { goOn(after: $0, since: start, budget, continuation) }
        } else {
            content(at: budget.path) { goOn(after: $0, since: start, budget, continuation) }
        }
    }

    private func goOn<Value>(
        after result: Result<Value, any Error>,
        since start: UInt64,
        _ budget: Budget,
        _ continuation: CheckedContinuation<Void, any Error>
    ) {
        switch result {
        case .success:
            budget.record(since: start)
            next(of: budget, continuation: continuation)
        case .failure(let error): continuation.resume(throwing: error)
        }
    }
}
