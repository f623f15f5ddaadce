import ArgumentParser

/// Sends requests of every kind to a sound server, and looks at what is left behind.
struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Sends requests of every kind to a sound server; each has to end exactly once, and nothing may be left.",
        discussion:
            "Run it with -c release. Memory, descriptors and threads are taken after the first ones, and at the end."
    )

    @Option(help: "How many requests to send.")
    var count = 1_000_000
    @Option(help: "After how many requests the first figures are taken.")
    var first = 10_000
    @Option(help: "Percent by which memory may grow from then to the end.")
    var growth = 5.0

    func run() async throws {
        let server = try ServerProcess(["--mode", "sound"])
        let folder = try FileManager.default.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = try SimpleNetworking.fuzzed(server.url)
        // Made at once, so that its own memory does not count as growth.
        let ledger = Ledger(count: count, limit: first)

        await send(client, folder, ledger)
        let before = try await settled()
        print("after \(first): \(before)")
        let start = ContinuousClock.now
        ledger.permit(count)
        await send(client, folder, ledger)
        let seconds = ContinuousClock.now - start
        let after = try await settled()
        print("after \(count): \(after), in \(seconds)")
        let grown = (Double(after.memory) / Double(max(1, before.memory)) - 1) * 100
        print(String(format: "memory: %+.1f %%", grown))
        let wrong = ledger.result.wrong
        if !wrong.isEmpty { print("Not ended exactly once: \(wrong)") }
        // Dispatch keeps threads and timers' descriptors as it likes, but they are few.
        if !wrong.isEmpty || grown > growth || after.files > before.files + 8 || after.threads > before.threads + 8 {
            throw ExitCode.failure
        }
    }

    /// What is held when Dispatch has let idle threads go, which takes it five seconds.
    private func settled() async throws -> ProcessUsage {
        try await Task.sleep(for: .seconds(7))
        return ProcessUsage()
    }

    private func send(_ client: SimpleNetworking, _ folder: URL, _ ledger: Ledger) async {
        await Crowd(ledger: ledger).run { number in
            var random = SeededGenerator(seed: UInt64(number))
            let face = Face.allCases.randomElement(using: &random) ?? .handlers
            let path = SoundReplies.paths.randomElement(using: &random) ?? "/json"
            await face.send("\(path)?\(number % 500)", number: number, client, folder: folder, ledger)
        }
    }
}
