import Foundation

/// The built program, as a process.
final class Playground: Sendable {
    private let process: Process
    private let output: Reading
    private let errors: Reading
    private let exits: AsyncStream<Int32>

    /// Runs the program to its end.
    static func run(_ arguments: String...) async throws -> Run { try await run(arguments) }

    /// Runs the program to its end.
    static func run(_ arguments: [String]) async throws -> Run { try await Playground(arguments).end() }

    /// Starts the program.
    static func start(_ arguments: String...) throws -> Playground { try Playground(arguments) }

    private init(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        let (exits, exit) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            exit.yield($0.terminationStatus)
            exit.finish()
        }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        self.process = process
        self.output = Reading(output)
        self.errors = Reading(errors)
        self.exits = exits
    }

    /// The first line that it writes, without its end.
    func firstLine() async throws -> String { await output.firstLine() }

    /// Terminates it.
    func terminate() { process.terminate() }

    /// Waits for its end.
    func end() async -> Run {
        var status: Int32 = -1
        for await code in exits { status = code }
        return Run(status: status, output: await output.text(), errors: await errors.text())
    }

    /// It is in the folder of the tests.
    private static var program: URL {
        #if canImport(Darwin)
            let tests = Bundle(for: Playground.self).bundleURL
        #else
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("playground")
    }
}
