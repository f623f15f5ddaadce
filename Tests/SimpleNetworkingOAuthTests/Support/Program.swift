#if os(macOS) || os(Linux)
    import Foundation

    /// Another program that works with a store's file, to be talked to line by line, and killed.
    final class Program: Sendable {
        private let process: Process
        private let input = Pipe()
        private let output = Pipe()
        private let exits: AsyncStream<Void>

        init(_ arguments: String...) throws {
            let process = Process()
            process.executableURL = Self.url
            process.arguments = arguments
            (process.standardInput, process.standardOutput) = (input, output)
            let (exits, exit) = AsyncStream<Void>.makeStream()
            process.terminationHandler = { _ in exit.finish() }
            try process.run()
            self.process = process
            self.exits = exits
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        /// Waits for the next line that it says; empty when it has ended.
        func line() async -> String {
            let handle = output.fileHandleForReading
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    var line = Data()
                    while let byte = try? handle.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
                        line += byte
                    }
                    continuation.resume(returning: String(decoding: line, as: UTF8.self))
                }
            }
        }

        /// Says a line to it.
        func say(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Ends it without a chance to clean up, and waits for that.
        func kill() async {
            kill(process.processIdentifier, SIGKILL)
            await end()
        }

        /// Waits for its end.
        func end() async { for await _ in exits {} }

        private func kill(_ process: pid_t, _ signal: Int32) { sendSignal(process, signal) }

        /// It stands beside the tests.
        private static var url: URL {
            #if canImport(Darwin)
                let tests = Bundle(for: Program.self).bundleURL
            #else
                let tests = URL(fileURLWithPath: CommandLine.arguments[0])
            #endif
            return tests.deletingLastPathComponent().appendingPathComponent("CredentialProcess")
        }
    }

    // Outside the type, whose own method has this name.
    private func sendSignal(_ process: pid_t, _ signal: Int32) { _ = kill(process, signal) }
#endif
