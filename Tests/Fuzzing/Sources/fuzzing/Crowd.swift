/// Sends requests, some at a time, and fails the process where one doesn't end.
struct Crowd {
    let ledger: Ledger
    var width = 64
    /// A request whose limits are a second or two has long ended by then, even on a busy machine.
    var patience = Duration.seconds(90)

    /// Sends requests until the ledger has none left, each with `send`.
    func run(_ send: @escaping @Sendable (_ number: Int) async -> Void) async {
        let watch = Task.detached(priority: .high) { try await self.watch() }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask { while let number = ledger.take() { await send(number) } }
            }
        }
        watch.cancel()
    }

    private func watch() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            let late = ledger.pending(since: .now - patience)
            if !late.isEmpty {
                print("Not ended after \(patience): \(late)")
                exit(3)
            }
        }
    }
}
