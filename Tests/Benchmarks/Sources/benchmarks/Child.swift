/// Runs programs, this one among them, and reads what they print.
enum Child {
    /// What a program printed.
    struct Output {
        var text: String
        var errors: String
        var seconds: Double
        /// The time of all processors, for the program and for those that it waited for.
        var processorSeconds: Double
    }

    /// Runs a program to its end.
    static func run(_ command: [String], in folder: URL? = nil) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let folder { process.currentDirectoryURL = folder }
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: errors)
        defer { try? FileManager.default.removeItem(at: errors) }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        let (start, before) = (Clock.now, ProcessUsage.cpuSecondsOfChildren)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let seconds = Double(Clock.now - start) / 1e9
        process.waitUntilExit()
        let complaints = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        guard process.terminationStatus == 0 else {
            throw Failure(command: command.joined(separator: " "), text: complaints + text)
        }
        return Output(
            text: text,
            errors: complaints,
            seconds: seconds,
            processorSeconds: ProcessUsage.cpuSecondsOfChildren - before
        )
    }

    /// The path of this program.
    static let ownPath = Bundle.main.executablePath ?? CommandLine.arguments[0]

    /// A program that did not end well.
    struct Failure: Error, CustomStringConvertible {
        var command: String
        var text: String
        var description: String { "\(command) failed: \(text.suffix(2000))" }
    }
}
