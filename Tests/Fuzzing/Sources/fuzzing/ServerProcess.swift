/// Starts this program once more, as the server; it ends with this one.
final class ServerProcess {
    let url: URL
    private let process = Process()
    private let input = Pipe()

    init(_ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["serve"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard UInt16(port) != nil, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw CocoaError(.executableLoad)
        }
        self.url = url
    }

    /// How the server's process ended; nil while it runs.
    var end: Int32? { process.isRunning ? nil : process.terminationStatus }

    deinit { try? input.fileHandleForWriting.close() }
}
