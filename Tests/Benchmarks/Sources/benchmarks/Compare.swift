import AllocationCounter
import ArgumentParser

/// Measures all clients, round after round, and prints what came of it.
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures all clients and compares them.")

    @Option(help: "The address of the server that `run` starts.")
    var server: String
    @Option(help: "SimpleNetworking's engine: curl or urlSession.")
    var engine = Engine.standard
    @Option(help: "How often each client has its turn.")
    var rounds = 7
    @Option(help: "A measure to take; may be given several times. The default is all but instructions.")
    var only: [Measure] = []
    @Flag(help: "Also count instructions, with valgrind; slow.")
    var instructions = false
    @Flag(help: "Also build programs with the core, with each feature, with all, and with others; slow.")
    var build = false
    @Flag(help: "Only see whether everything runs; the numbers mean little.")
    var quick = false
    @Option(help: "Alamofire=PATH or Get=PATH: also measures that package, which is built first.")
    var peer: [Peer.Place] = []
    @Flag(help: "Also 10,000 requests in flight; needs as many open files for two processes.")
    var huge = false
    @Flag(help: "Keeps every core busy with something else meanwhile.")
    var neighbors = false
    @Option(help: "The address of the server with TLS and HTTP/1.1.")
    var secureServer: String?
    @Option(help: "The address of the server with TLS and HTTP/2.")
    var http2Server: String?
    @Option(help: "Writes what was measured to this file.")
    var json: String?
    @Option(help: "Draws the chart into this file.")
    var svg: String?

    func run() async throws {
        ProcessUsage.raiseFileLimit()
        guard let url = URL(string: server) else { throw ValidationError("not an address: \(server)") }
        let neighbors = try self.neighbors ? Neighbors() : nil
        defer { neighbors?.stop() }
        var results = Results()
        var peers: [ClientKind: Peer] = [:]
        defer { for peer in peers.values { peer.remove() } }
        for place in peer { peers[place.kind] = try Peer(place) }
        for step in steps(url, peers) where step.measures.contains(where: isWanted) {
            for round in 1...(step.isExact || quick ? 1 : rounds) {
                for client in step.clients {
                    note("\(step.name), round \(round), \(client.title)")
                    do {
                        for (measure, value) in try await step.run(client) { results.add(value, measure, of: client) }
                    } catch {
                        // Some clients don't hold out everywhere, and that is a result as well.
                        results.failures.append("\(client.title), \(step.name), round \(round): \(error)")
                    }
                }
            }
        }
        if build {
            results.programs = try BuildCost.measure(alamofire: peer.first { $0.kind == .alamofire }?.path)
        }
        note("")
        print("Engine: \(engine.rawValue)\(quick ? "; a quick run, whose numbers mean little" : "")\n")
        let table = Table(results: results)
        print(table.text, "", table.goals, separator: "\n")
        if build { print("", table.programs, separator: "\n") }
        for failure in results.failures { print("", failure, separator: "\n") }
        if let json { try JSONEncoder.readable.encode(results).write(to: URL(fileURLWithPath: json)) }
        if let svg { try Data(Chart(results: results).text.utf8).write(to: URL(fileURLWithPath: svg)) }
    }

    private func isWanted(_ measure: Measure) -> Bool {
        if measure == .instructions { return instructions || only.contains(measure) }
        return only.isEmpty || only.contains(measure)
    }

    private func steps(_ server: URL, _ peers: [ClientKind: Peer]) -> [Step] {
        let secure = [(secureServer, Measure.secure), (http2Server, .secureHTTP2)].compactMap { address, measure in
            address.flatMap(URL.init).map { Step.secure($0, engine, measure, count: quick ? 100 : 1000) }
        }
        return [
            .items(server, engine, peers, count: quick ? 100 : 1500),
            .busy(server, engine, peers, count: quick ? 1000 : 12000),
            .busy(server, engine, peers, .raw, count: quick ? 1000 : 12000),
            .busy(server, engine, peers, .defaults, count: quick ? 1000 : 12000),
            .oneCore(server, engine, count: quick ? 1000 : 8000),
            .list(server, engine, .smallList, count: quick ? 20 : 200),
            .list(server, engine, .largeList, count: quick ? 2 : 8),
            .allocations(server, engine, count: quick ? 100 : 1000),
            .instructions(server, engine, from: 200, to: quick ? 300 : 1200),
            .firstRequest(server, engine),
            .large(server, engine, .download),
            .large(server, engine, .save),
            .spread(server, engine, count: quick ? 200 : 1000, over: quick ? 0.5 : 3),
            .crowd(server, engine, count: quick ? 200 : 1000, delay: quick ? 0.5 : 3),
        ] + secure + (huge ? [.crowd(server, engine, count: 10_000, delay: 3)] : [])
    }

    /// Shows the progress on a terminal.
    private func note(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}

extension Measure: ExpressibleByArgument {}

extension JSONEncoder {
    /// For people too.
    fileprivate static var readable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return encoder
    }
}
