/// A client to measure.
protocol Client: Sendable {
    /// Gets and decodes items, one after the other, until the budget is spent.
    func run(_ budget: Budget) async throws

    /// Gets and decodes an array of items, and gives their number.
    func list(at path: String) async throws -> Int

    /// Gets content into memory, and gives the number of its bytes.
    func content(at path: String) async throws -> Int

    /// Gets content into a file; false if the client cannot.
    func save(_ path: String, to file: URL) async throws -> Bool

    /// Ends what the client keeps open.
    func close() async throws
}

extension Client {
    /// Most need nothing.
    func close() {}

    /// Spends the budget with so many requests in flight.
    func run(_ budget: Budget, inFlight: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<inFlight { group.addTask { try await run(budget) } }
            try await group.waitForAll()
        }
    }
}
