import ArgumentParser
import SimpleNetworkingTransfers
import Synchronization

/// Sends requests whose responses have mutated content in one or more codings.
struct Codings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decodes mutated content; what is decoded has to be what the libraries decode in one piece.",
        discussion: "Run it with --sanitize=address. The same seed gives the same content. It is for Linux."
    )

    @OptionGroup
    var selection: Selection
    @Option(help: "How many requests are in flight.")
    var width = 32

    func run() async throws {
        let server = try ServerProcess(["--mode", "coded", "--seed", "\(selection.seed)"])
        let folder = try FileManager.default.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let engine = CurlTransport() else { throw POSIXError(.ENOSYS) }
        let client = SimpleNetworking(baseURL: server.url) {
            $0.transport = engine
            $0.retryPolicy = .never
            $0.timeout = 20
            $0.maxResponseSize = 4 << 20
            $0.logger = .silent
        }
        let (start, tally) = (ContinuousClock.now, Tally())
        let ledger = await selection.run(width: width) { [seed = selection.seed] number, ledger in
            let taken = await Take(number: number, folder: folder).content(client)
            tally.count(number, taken, expected: CodedBytes(path: "/\(number)", seed: seed))
            ledger.recordEnd(of: number)
        }
        let (sent, wrong) = ledger.result
        print("\(sent) requests, seed \(selection.seed), in \(ContinuousClock.now - start); \(ProcessUsage())")
        print(tally)
        if let status = server.end { print("The server ended with \(status).") }
        if !wrong.isEmpty { print("Not ended exactly once: \(wrong)") }
        if server.end != nil || !wrong.isEmpty || tally.hasFound { throw ExitCode.failure }
    }
}

/// Takes the content of one response, in one of three ways.
private struct Take {
    let number: Int
    let folder: URL

    func content(_ client: SimpleNetworking) async -> Result<Data, any Error> {
        do { return .success(try await take(SimpleNetworking.get("/\(number)"), client)) } catch {
            return .failure(error)
        }
    }

    private func take(_ request: SimpleRequest, _ client: SimpleNetworking) async throws -> Data {
        switch number % 3 {
        case 0: return try await client.send(request).data
        case 1:
            var content = Data()
            for try await piece in client.bytes(for: request) { content += piece }
            return content
        default:
            let file = folder.appendingPathComponent("\(number)")
            defer { try? FileManager.default.removeItem(at: file) }
            try await client.download(for: request, to: file)
            // Foundation's function for whole files leaks 4 KB for each that is empty.
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            return try handle.readToEnd() ?? Data()
        }
    }
}

/// Compares what the engine has decoded with what it should have.
private final class Tally: Sendable, CustomStringConvertible {
    private struct Counts {
        var decoded = 0
        var refused = 0
        /// Refused, though the libraries decode it in one piece: too many codings, bytes behind the end.
        var strict = 0
        var findings: [String] = []
    }

    private let counts = Mutex(Counts())

    var hasFound: Bool { counts.withLock { !$0.findings.isEmpty } }

    func count(_ number: Int, _ taken: Result<Data, any Error>, expected: CodedBytes) {
        let whole = Result { try WholeDecoder.decode(expected) }
        counts.withLock { counts in
            switch (taken, whole) {
            case (.success(let data), .success(let bytes)) where data.elementsEqual(bytes): counts.decoded += 1
            case (.success(let data), _): counts.findings.append("\(number): \(data.count) bytes, \(expected.codings)")
            case (.failure(let error), _) where "\(error)".contains("timeout"):
                counts.findings.append("\(number): \(error)")
            case (.failure, .success): counts.strict += 1
            case (.failure, .failure): counts.refused += 1
            }
        }
    }

    var description: String {
        counts.withLock { counts in
            let found = counts.findings.map { "finding: --only \($0)" }.joined(separator: "\n")
            return "decoded \(counts.decoded), refused \(counts.refused), and \(counts.strict) more; \(found)"
        }
    }
}
