import ArgumentParser

/// Which of the numbered requests or conversations to hold, and for how long.
struct Selection: ParsableArguments {
    @Option(help: "How many to send.")
    var count = 200_000
    @Option(help: "Seconds after which no more are sent.")
    var seconds: Double?
    @Option(help: "The seed of what is random.")
    var seed: UInt64 = 1
    @Option(help: "Sends this one alone.")
    var only: Int?

    /// Calls `send` for each number, some at a time, and returns what was counted; `send` records the ends.
    func run(
        width: Int,
        _ send: @escaping @Sendable (_ number: Int, _ ledger: Ledger) async -> Void
    ) async -> Ledger {
        let ledger = Ledger(count: only.map { $0 + 1 } ?? count)
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        await Crowd(ledger: ledger, width: width).run { [only] number in
            if let end, .now > end { ledger.permit(0) }
            if let only, number != only { return ledger.recordEnd(of: number) }
            await send(number, ledger)
        }
        return ledger
    }
}

extension FileManager {
    /// Makes a new folder among the temporary ones, for the caller to remove.
    func makeFolder() throws -> URL {
        let folder = temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
