import ArgumentParser

/// Sends sound requests beside hostile ones, and measures how much longer they take.
struct Floods: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Sends requests through one client beside replies without end; they may take little longer than alone.",
        discussion: "Run it with -c release, and with nothing else on the machine. A sound reply takes 100 ms."
    )

    @Option(help: "How many sound requests to send.")
    var count = 1_000
    @Option(help: "How many of them are in flight.")
    var width = 50
    @Option(help: "How many hostile requests of each kind are in flight.")
    var hostile = 16
    @Option(help: "The path of the only hostile reply: /extension, /blocks, /bomb or /folds.")
    var only: String?
    @Option(help: "How many times as long the sound requests may take beside the others as alone.")
    var limit = 1.5

    func run() async throws {
        let server = try ServerProcess(["--mode", "hostile"])
        guard let engine = CurlTransport() else { throw POSIXError(.ENOSYS) }
        let client = SimpleNetworking(baseURL: server.url) {
            $0.transport = engine
            $0.retryPolicy = .never
            $0.timeout = 10
            $0.logger = .silent
        }
        _ = try await measure(client)
        let alone = try await measure(client)
        let hostile = Task { await sendHostile(client) }
        let beside = try await measure(client)
        hostile.cancel()
        await hostile.value
        let ratio = beside / alone
        print(String(format: "alone %.2f s, beside hostile replies %.2f s: %.2f times", alone, beside, ratio))
        if ratio > limit { throw ExitCode.failure }
    }

    /// Returns the seconds that the sound requests take.
    private func measure(_ client: SimpleNetworking) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<width {
                group.addTask { [count, width] in
                    for _ in stride(from: worker, to: count, by: width) {
                        _ = try await client.send(SimpleNetworking.get("/sound"))
                    }
                }
            }
            try await group.waitForAll()
        }
        let duration = (ContinuousClock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) / 1e18
    }

    /// Sends each once; those without content last for as long as their timeout.
    private func sendHostile(_ client: SimpleNetworking) async {
        await withTaskGroup(of: Void.self) { group in
            for path in HostileReplies.paths where only == nil || path == only {
                for _ in 0..<hostile {
                    group.addTask { _ = try? await client.send(SimpleNetworking.get(path)) }
                }
            }
        }
    }
}
