import AllocationCounter
import ArgumentParser

/// One thing to do with each client, and what it measures.
struct Step {
    let name: String
    let measures: [Measure]
    /// Whether it is the same in each round.
    var isExact = false
    /// The clients that can do it.
    var clients = ClientKind.clients
    let run: (ClientKind) async throws -> [Measure: Double]

    /// Requests one after the other.
    static func items(_ server: URL, _ engine: Engine, _ peers: [ClientKind: Peer], count: Int) -> Step {
        let measures: [Measure] = [.median, .slowest, .sequentialCPU]
        let clients = ClientKind.clients + [.easyInterface] + peers.keys.sorted { $0.rawValue < $1.rawValue }
        return Step(name: "one at a time", measures: measures, clients: clients) { kind in
            if let peer = peers[kind] { return try peer.run(server, count: count) }
            let budget = Budget(count)
            var cpu = 0.0
            try await warm(kind, server, engine) { client in
                cpu = ProcessUsage.cpuSeconds
                try await client.run(budget)
                cpu = ProcessUsage.cpuSeconds - cpu
            }
            return [
                .median: budget.microseconds(within: 0.5), .slowest: budget.microseconds(within: 0.99),
                .sequentialCPU: cpu * 1e6 / Double(count),
            ]
        }
    }

    /// Requests one after the other over TLS; on Linux, URLSession trusts no certificate that the machine doesn't.
    static func secure(_ server: URL, _ engine: Engine, _ measure: Measure, count: Int) -> Step {
        let clients = ClientKind.clients.filter { ![.sessionHandlers, .sessionAwaiting].contains($0) }
        return Step(name: measure.title, measures: [measure], clients: clients) { kind in
            let budget = Budget(count)
            try await warm(kind, server, engine) { try await $0.run(budget) }
            return [measure: budget.microseconds(within: 0.5)]
        }
    }

    /// Arrays of items, one after the other.
    static func list(_ server: URL, _ engine: Engine, _ measure: Measure, count: Int) -> Step {
        Step(name: measure.title, measures: [measure]) { kind in
            let budget = Budget(count, of: measure == .smallList ? "/list-small" : "/list-large")
            try await warm(kind, server, engine) { client in
                while budget.take() {
                    let start = Clock.now
                    guard try await client.list(at: budget.path) > 10 else { throw URLError(.cannotParseResponse) }
                    budget.record(since: start)
                }
            }
            return [measure: budget.microseconds(within: 0.5)]
        }
    }

    /// 64 requests at a time, with one core for all threads of the client.
    static func oneCore(_ server: URL, _ engine: Engine, count: Int) -> Step {
        Step(name: "64 in flight on one core", measures: [.oneCore]) { kind in
            let options = ["--count", "\(count)", "--in-flight", "64"]
            let program = ["taskset", "-c", "0", Child.ownPath]
            let answer = try answer(of: probe(kind, .items, server, engine, options, running: program))
            return [.oneCore: Double(count) / answer.seconds]
        }
    }

    /// 64 requests at a time.
    static func busy(
        _ server: URL,
        _ engine: Engine,
        _ peers: [ClientKind: Peer],
        _ load: Load = .decoded,
        count: Int
    ) -> Step {
        let clients = ClientKind.clients + peers.keys.sorted { $0.rawValue < $1.rawValue }
        let (rate, cpuTime) = load.measures
        return Step(name: rate.title, measures: [rate, cpuTime].compactMap { $0 }, clients: clients) { kind in
            var seconds = 0.0
            var cpu = 0.0
            if let peer = peers[kind] {
                (seconds, cpu) = try peer.run(server, count: count, inFlight: 64, load)
            } else {
                try await warm(kind, server, engine, connections: load.connections) { client in
                    try await client.run(Budget(500, decodes: load.decodes), inFlight: 64)
                    cpu = ProcessUsage.cpuSeconds
                    seconds = try await Clock.seconds {
                        try await client.run(Budget(count, decodes: load.decodes), inFlight: 64)
                    }
                    cpu = ProcessUsage.cpuSeconds - cpu
                }
            }
            var values = [rate: Double(count) / seconds]
            if let cpuTime { values[cpuTime] = cpu * 1e6 / Double(count) }
            return values
        }
    }

    /// Blocks that the whole process allocated on the heap.
    static func allocations(_ server: URL, _ engine: Engine, count: Int) -> Step {
        Step(name: "allocations", measures: [.allocations], isExact: true) { kind in
            var made: UInt64 = 0
            try await warm(kind, server, engine) { client in
                let budget = Budget(count)
                allocation_count_begin()
                try await client.run(budget)
                made = allocation_count_end()
            }
            return made > 0 ? [.allocations: Double(made) / Double(count)] : [:]
        }
    }

    /// Instructions of the process: the difference of a long and a short run, so that the start does not count.
    static func instructions(_ server: URL, _ engine: Engine, from few: Int, to many: Int) -> Step {
        Step(name: "instructions", measures: [.instructions], isExact: true) { kind in
            // valgrind cannot read what Swift's debug information says.
            let program = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            _ = try Child.run(["strip", "-o", program.path, Child.ownPath])
            defer { try? FileManager.default.removeItem(at: program) }
            let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program.path]
            func total(_ count: Int) throws -> Double {
                let output = try probe(kind, .items, server, engine, ["--count", "\(count)"], running: valgrind)
                let line = output.errors.split(separator: "\n").last { $0.contains("Collected") }
                return line?.split(separator: " ").last.flatMap { Double($0) } ?? .nan
            }
            return [.instructions: (try total(many) - total(few)) / Double(many - few) / 1e3]
        }
    }

    /// A new process, from its start to its end after one item.
    static func firstRequest(_ server: URL, _ engine: Engine) -> Step {
        Step(name: "first request", measures: [.firstRequest]) { kind in
            [.firstRequest: try probe(kind, .items, server, engine, []).seconds * 1e3]
        }
    }

    /// 50 MB to memory or to a file.
    static func large(_ server: URL, _ engine: Engine, _ work: Probe.Work) -> Step {
        let (rate, peak) = work == .save ? (Measure.fileRate, Measure.filePeak) : (.memoryRate, .memoryPeak)
        return Step(name: "50 MB: \(work.rawValue)", measures: [rate, peak]) { kind in
            let answer = try answer(of: probe(kind, work, server, engine, []))
            guard answer.isDone else { return [:] }
            let megabytes = Double(LargeContent.bytes) / 1e6
            return [rate: megabytes / answer.seconds, peak: Double(answer.peak) / 1e6]
        }
    }

    /// Many requests at a time to a server that takes its time.
    static func crowd(_ server: URL, _ engine: Engine, count: Int, delay: Double) -> Step {
        let (time, memory) = count > 1_000 ? (Measure.hugeTime, Measure.hugeMemory) : (.crowdTime, .crowdMemory)
        return Step(name: "crowd of \(count)", measures: [time, memory]) { kind in
            let slow = try SlowServer(delay: delay)
            defer { slow.stop() }
            let options = ["--count", "\(count)", "--slow-server", slow.url.absoluteString]
            let answer = try answer(of: probe(kind, .crowd, server, engine, options))
            return [time: answer.seconds, memory: Double(answer.peak) / 1e6]
        }
    }

    /// Many requests at a time to a server whose responses come one by one.
    static func spread(_ server: URL, _ engine: Engine, count: Int, over seconds: Double) -> Step {
        Step(name: "crowd, spread", measures: [.spreadCPU]) { kind in
            let slow = try SlowServer(delay: 0.2, pause: seconds / Double(count))
            defer { slow.stop() }
            let options = ["--count", "\(count)", "--slow-server", slow.url.absoluteString]
            return [.spreadCPU: try answer(of: probe(kind, .crowd, server, engine, options)).cpu * 1e6 / Double(count)]
        }
    }

    private static func warm(
        _ kind: ClientKind,
        _ server: URL,
        _ engine: Engine,
        connections: Int? = nil,
        _ work: (any Client) async throws -> Void
    ) async throws {
        let client = try kind.make(server, on: engine, connections: connections)
        try await client.run(Budget(100))
        try await work(client)
        try await client.close()
    }

    private static func probe(
        _ kind: ClientKind,
        _ work: Probe.Work,
        _ server: URL,
        _ engine: Engine,
        _ options: [String],
        running program: [String] = [Child.ownPath]
    ) throws -> Child.Output {
        let command = [
            "probe", "--client", kind.rawValue, "--work", work.rawValue, "--engine", engine.rawValue,
            "--server", server.absoluteString,
        ]
        return try Child.run(program + command + options)
    }

    private static func answer(of output: Child.Output) throws -> Probe.Answer {
        try JSONDecoder().decode(Probe.Answer.self, from: Data(output.text.utf8))
    }
}
