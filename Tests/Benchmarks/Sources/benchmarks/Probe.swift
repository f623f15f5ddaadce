import ArgumentParser

/// One client doing one thing in a process of its own, so that neither memory nor a start is shared with others.
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures one client once, and prints JSON.")

    /// What is done.
    enum Work: String, Codable, ExpressibleByArgument {
        /// Items, one after the other.
        case items
        /// Many items at a time, from a slow server.
        case crowd
        /// Content to memory.
        case download
        /// Content to a file.
        case save
    }

    /// What came of it.
    struct Answer: Codable {
        var seconds: Double
        /// The most memory in use meanwhile, above what was in use before, in bytes.
        var peak: Int
        /// Seconds of the processors.
        var cpu = 0.0
        var isDone = true
    }

    @Option
    var client: ClientKind
    @Option
    var engine = Engine.standard
    @Option
    var work = Work.items
    @Option
    var server: String
    /// The server that sends the items for the concurrent requests.
    @Option
    var slowServer: String?
    @Option
    var count = 1
    /// How many items at a time.
    @Option
    var inFlight = 1

    func run() async throws {
        ProcessUsage.raiseFileLimit()
        guard let server = URL(string: server), let slow = URL(string: slowServer ?? self.server) else {
            throw ValidationError("not an address")
        }
        let answer: Answer
        switch work {
        case .items:
            let client = try self.client.make(server, on: engine, connections: inFlight > 1 ? inFlight : nil)
            answer = try await measure { try await client.run(Budget(count), inFlight: inFlight) }
            try await client.close()
        case .crowd:
            try await warmUp(server)
            let client = try self.client.make(slow, on: engine, connections: count)
            answer = try await measure { try await client.run(Budget(count), inFlight: count) }
        case .download, .save: answer = try await large(server)
        }
        print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
    }

    private func warmUp(_ server: URL) async throws {
        let client = try self.client.make(server, on: engine)
        try await client.run(Budget(20))
        try await client.close()
    }

    private func measure(_ work: () async throws -> Void) async throws -> Answer {
        let idle = ProcessUsage.memory
        ProcessUsage.forgetPeak()
        let cpu = ProcessUsage.cpuSeconds
        let seconds = try await Clock.seconds(of: work)
        return Answer(seconds: seconds, peak: ProcessUsage.peakMemory - idle, cpu: ProcessUsage.cpuSeconds - cpu)
    }

    private func large(_ server: URL) async throws -> Answer {
        let client = try self.client.make(server, on: engine)
        try await client.run(Budget(20))
        var isDone = true
        var answer = try await measure { isDone = try await transfer(with: client) }
        guard isDone else { return Answer(seconds: 0, peak: 0, isDone: false) }
        // The first is slower: the memory is new.
        let times = 3
        answer.seconds =
            try await Clock.seconds { for _ in 0..<times { _ = try await transfer(with: client) } } / Double(times)
        return answer
    }

    private func transfer(with client: any Client) async throws -> Bool {
        guard work == .save else {
            let bytes = try await client.content(at: "/large")
            guard bytes == LargeContent.bytes else { throw ValidationError("\(bytes) bytes came") }
            return true
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await client.save("/large", to: file)
    }
}

/// The large content that the server has.
enum LargeContent {
    /// 50 MB.
    static let bytes = 50 << 20
}
