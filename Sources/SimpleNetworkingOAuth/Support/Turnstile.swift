/// Lets tasks pass one after another, in the order of their arrival.
actor Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// How many tasks wait.
    var waitingCount: Int { waiting.count }

    /// Does some work when it is its turn.
    func pass<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        return try await work()
    }

    /// Waits for a turn, which lasts until `leave()`.
    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Ends a turn.
    func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
