import Foundation
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// The output and the status of a run of the program.
///
/// By Subprocess and not by Foundation's `Process`, which reads beyond its memory as soon as the process that starts
/// another has some 1,350 open files, as all of these tests at once have (Swift 6.3).
struct Run: Sendable {
    let status: Int
    let output: String
    let errors: String

    /// Runs the program to its end.
    init(_ arguments: String...) async throws { try await self.init(arguments) }

    /// Runs the program to its end.
    init(_ arguments: [String], input: String = "") async throws {
        try await self.init(Self.program, arguments, input: input)
    }

    /// Runs a command of the shell, in which `playground` is the program, to its end.
    init(shell command: String) async throws {
        let line = "playground() { '\(Self.programPath)' \"$@\"; }; \(command)"
        try await self.init(.path("/bin/sh"), ["-c", line], input: "")
    }

    /// Runs the program with a terminal as its output, to its end.
    init(terminal arguments: String) async throws {
        let command = "script -qec \"'\(Self.programPath)' \(arguments)\" /dev/null"
        try await self.init(.path("/bin/sh"), ["-c", command], input: "")
    }

    private init(_ program: Executable, _ arguments: [String], input: String) async throws {
        let result = try await Subprocess.run(
            program,
            arguments: Arguments(arguments),
            input: .string(input),
            output: .string(limit: 10_000_000),
            error: .string(limit: 10_000_000)
        )
        guard case .exited(let code) = result.terminationStatus else { throw Killed(status: result.terminationStatus) }
        (status, output, errors) = (Int(code), result.standardOutput, result.standardError)
    }

    /// Runs the program, and terminates it after `use`, which gets the first line of its output.
    init(_ arguments: String..., untilEndOf use: (_ firstLine: String) async throws -> Void) async throws {
        try await self.init(arguments, sending: .terminate, after: { _ in true }, use)
    }

    /// Runs the program, and sends it a signal after `use`, which gets the first line of its output of a kind.
    init(
        _ arguments: [String],
        sending signal: Signal,
        after isMeant: (_ line: String) -> Bool,
        _ use: (_ line: String) async throws -> Void = { _ in }
    ) async throws {
        let result = try await Subprocess.run(
            Self.program,
            arguments: Arguments(arguments),
            input: .none,
            output: .sequence,
            error: .string(limit: 10_000_000)
        ) { execution in
            var lines: [String] = []
            var isSent = false
            for try await line in execution.standardOutput.strings() {
                if !isSent, isMeant(line) {
                    isSent = true
                    try await use(line)
                    try execution.send(signal: signal)
                }
                lines.append(line)
            }
            return lines
        }
        guard case .exited(let code) = result.terminationStatus else { throw Killed(status: result.terminationStatus) }
        (status, output, errors) = (Int(code), result.closureResult.joined(separator: "\n"), result.standardError)
    }

    /// A signal ended the program.
    struct Killed: Error {
        let status: TerminationStatus
    }

    private static var program: Executable { .path(FilePath(programPath)) }

    /// It is in the folder of the tests.
    static var programPath: String {
        #if canImport(Darwin)
            let tests = Bundle(for: BundleMark.self).bundleURL
        #else
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #endif
        return tests.deletingLastPathComponent().appendingPathComponent("playground").path
    }

    #if canImport(Darwin)
        private final class BundleMark {}
    #endif
}

extension Run {
    /// The request, as the demo server's `/echo` returns it.
    struct Echo: Decodable {
        let method: String
        let query: String
        let headers: [String: String]
        let body: String

        func field(_ name: String) -> String? { headers.first { $0.key.lowercased() == name.lowercased() }?.value }
    }

    func echo() throws -> Echo {
        let content = output.split(separator: "\n").last ?? ""
        return try JSONDecoder().decode(Echo.self, from: Data(content.utf8))
    }
}
