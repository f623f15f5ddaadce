/// A client that is awaited.
protocol AwaitingClient: Client {
    /// Gets and decodes an item.
    func item(at path: String) async throws -> Item
}

extension AwaitingClient {
    func run(_ budget: Budget) async throws {
        while budget.take() {
            let start = Clock.now
            if budget.decodes {
                _ = try await item(at: budget.path)
            } else {
                _ = try await content(at: budget.path)
            }
            budget.record(since: start)
        }
    }
}
