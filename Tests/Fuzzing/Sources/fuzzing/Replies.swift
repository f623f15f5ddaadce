import ArgumentParser

/// Sends requests to a server whose replies are mutated.
struct Replies: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sends requests to a server whose replies are mutated; each has to end exactly once.",
        discussion: "Run it with --sanitize=address. The same seed gives the same replies."
    )

    @OptionGroup
    var selection: Selection
    @Option(help: "A folder of replies to begin with, each a file of raw bytes.")
    var seeds: String?
    @Option(help: "How many requests are in flight; many replies end with a time limit.")
    var width = 256
    @Option(help: "The requests that a client sends before the next one takes its place.")
    var perClient = 2_000

    func run() async throws {
        let server = try ServerProcess(["--seed", "\(selection.seed)"] + (seeds.map { ["--seeds", $0] } ?? []))
        let folder = try FileManager.default.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }

        let clients = try Clients(server: server.url, requestsEach: perClient)
        let start = ContinuousClock.now
        let ledger = await selection.run(width: width) { number, ledger in
            let face = Face.allCases[number % Face.allCases.count]
            await face.send("/\(number)/\(face)", number: number, clients.client(for: number), folder: folder, ledger)
        }
        let (sent, wrong) = ledger.result
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let strays = files.filter { !$0.contains(".partial") }
        print("\(sent) requests, seed \(selection.seed), in \(ContinuousClock.now - start); \(ProcessUsage())")
        if let status = server.end { print("The server ended with \(status).") }
        if !strays.isEmpty { print("Files left behind: \(strays.sorted())") }
        if !wrong.isEmpty { print("Not ended exactly once: \(wrong)") }
        if server.end != nil || !strays.isEmpty || !wrong.isEmpty { throw ExitCode.failure }
    }
}
