import ArgumentParser

/// Holds conversations of a few requests with a server in memory, whose responses refer to the requests before.
struct Conversations: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Holds conversations with a server in memory that remembers nothing right; each request has to end.",
        discussion: "What a response refers to is random too: ranges, validators, pages, tokens, cookies."
    )

    @OptionGroup
    var selection: Selection

    func run() async throws {
        let folder = try FileManager.default.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }

        let ledger = await selection.run(width: 4) { [seed = selection.seed] number, ledger in
            let place = folder.appendingPathComponent("\(number)")
            let leaks = await Conversation(seed: seed, number: number, folder: place).hold()
            if !leaks.isEmpty {
                print("Conversation \(number) of seed \(seed) sent secrets elsewhere: \(leaks)")
                Foundation.exit(4)
            }
            ledger.recordEnd(of: number)
        }
        print("\(ledger.result.sent) conversations, seed \(selection.seed); \(ProcessUsage())")
    }
}
