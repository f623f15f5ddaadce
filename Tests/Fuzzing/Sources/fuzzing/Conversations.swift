import ArgumentParser

/// Holds conversations of a few requests with a server in memory, whose responses refer to the requests before.
struct Conversations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Holds conversations with a server in memory that remembers nothing right; each request has to end.",
        discussion: "What a response refers to is random too: ranges, validators, pages, tokens, cookies."
    )

    @Option(help: "How many conversations to hold.")
    var count = 1_000_000
    @Option(help: "Seconds after which no more are begun.")
    var seconds: Double?
    @Option(help: "The seed of the responses.")
    var seed: UInt64 = 1
    @Option(help: "Holds this conversation alone.")
    var only: Int?

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let ledger = Ledger(count: only.map { $0 + 1 } ?? count)
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        await Crowd(ledger: ledger, width: 4).run { number in
            if let end, .now > end { ledger.permit(0) }
            if only == nil || number == only {
                let place = folder.appendingPathComponent("\(number)")
                let leaks = await Conversation(seed: seed, number: number, folder: place).hold()
                if !leaks.isEmpty {
                    print("Conversation \(number) of seed \(seed) sent secrets elsewhere: \(leaks)")
                    Foundation.exit(4)
                }
            }
            ledger.recordEnd(of: number)
        }
        print("\(ledger.result.sent) conversations, seed \(seed); \(ProcessUsage())")
    }
}
