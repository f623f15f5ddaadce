import ArgumentParser

/// The server, in a process of its own, so that what it allocates does not count.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves on a free port of 127.0.0.1, whose number it prints, until its standard input ends."
    )

    @Option(help: "What to reply: mutated, coded, sound or hostile.")
    var mode = Mode.mutated
    @Option(help: "The seed of the mutations.")
    var seed: UInt64 = 1
    @Option(help: "A folder of replies to begin with.")
    var seeds: String?

    enum Mode: String, ExpressibleByArgument { case mutated, coded, sound, hostile }

    func run() throws {
        let server = try Server()
        print(server.port)
        fflush(nil)
        Thread {
            while readLine() != nil {}
            Foundation.exit(0)
        }.start()
        switch mode {
        case .sound: server.serve { SoundReplies.reply(to: $0) }
        case .hostile: server.serve { HostileReplies.reply(to: $0) }
        case .coded: server.serve { [seed] in CodedBytes(path: $0, seed: seed).reply() }
        case .mutated:
            let mutation = Mutation(seeds: try SeedReplies.load(from: seeds))
            server.serve { [seed] in mutation.reply(to: $0, seed: seed) }
        }
    }
}
