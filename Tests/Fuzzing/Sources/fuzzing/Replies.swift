import ArgumentParser

/// Sends requests to a server whose replies are mutated.
struct Replies: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends requests to a server whose replies are mutated; each has to end exactly once.",
        discussion: "Run it with --sanitize=address. The same seed gives the same replies."
    )

    @Option(help: "How many requests to send.")
    var count = 200_000
    @Option(help: "Seconds after which no more are sent.")
    var seconds: Double?
    @Option(help: "The seed of the mutations.")
    var seed: UInt64 = 1
    @Option(help: "A folder of replies to begin with, each a file of raw bytes.")
    var seeds: String?
    @Option(help: "Sends this request alone.")
    var only: Int?
    @Option(help: "How many requests are in flight; many replies end with a time limit.")
    var width = 256
    @Option(help: "The requests that a client sends before the next one takes its place.")
    var perClient = 2_000

    func run() async throws {
        let server = try ServerProcess(["--seed", "\(seed)"] + (seeds.map { ["--seeds", $0] } ?? []))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let ledger = Ledger(count: only.map { $0 + 1 } ?? count)
        let clients = try Clients(server: server.url, requestsEach: perClient)
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let start = ContinuousClock.now
        await Crowd(ledger: ledger, width: width).run { number in
            if let end, .now > end { ledger.permit(0) }
            if let only, number != only { return ledger.recordEnd(of: number) }
            let face = Face.allCases[number % Face.allCases.count]
            await face.send("/\(number)/\(face)", number: number, clients.client(for: number), folder: folder, ledger)
        }
        let (sent, wrong) = ledger.result
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let strays = files.filter { !$0.contains(".partial") }
        print("\(sent) requests, seed \(seed), in \(ContinuousClock.now - start); \(ProcessUsage())")
        if let status = server.end { print("The server ended with \(status).") }
        if !strays.isEmpty { print("Files left behind: \(strays.sorted())") }
        if !wrong.isEmpty { print("Not ended exactly once: \(wrong)") }
        if server.end != nil || !strays.isEmpty || !wrong.isEmpty { throw ExitCode.failure }
    }
}
