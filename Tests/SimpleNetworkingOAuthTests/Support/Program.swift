#if os(macOS) || os(Linux)
    import Foundation

    /// Another program that works with a store's file, to be talked to line by line, and killed.
    final class Program: Sendable {
        private let process: ChildProcess

        init(_ arguments: String..., readsErrors: Bool = false) throws {
            process = try ChildProcess(Self.url.path, arguments, readsErrors: readsErrors)
        }

        deinit { process.kill() }

        /// Waits for the next line that it says; empty when it has ended.
        func line() async -> String {
            let handle = process.output
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
            try process.input.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Ends it without a chance to clean up, and waits for that.
        func kill() async {
            process.kill()
            await end()
        }

        /// Waits for its end.
        func end() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [process] in
                    process.wait()
                    continuation.resume()
                }
            }
        }

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
#endif
