#if os(macOS) || os(Linux)
    import Foundation
    import SimpleNetworkingCore
    import SimpleNetworkingSupport

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #else
        import Darwin
    #endif

    /// Another program that runs beside the tests.
    ///
    /// Foundation's `Process` reads beyond a buffer, and sometimes crashes, when more than a thousand files are open.
    package final class ChildProcess: Sendable {
        /// Writes to the program's standard input.
        package let input: FileHandle
        /// Reads the program's standard output.
        package let output: FileHandle
        private let process: pid_t
        private let status = Locked<Int32?>(nil)

        /// Starts a program.
        ///
        /// - Parameters:
        ///   - path: The program's file.
        ///   - arguments: Its arguments.
        ///   - environment: Variables beside those of this process.
        ///   - readsErrors: Whether `output` is the standard error, in place of the standard output.
        /// - Throws: The POSIX error, if it can't be started.
        package init(
            _ path: String,
            _ arguments: [String],
            environment: [String: String] = [:],
            readsErrors: Bool = false
        ) throws {
            let (input, output) = (try Self.pipe(), try Self.pipe())
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
            #else
                var actions = posix_spawn_file_actions_t()
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            let (read, silent) = readsErrors ? (STDERR_FILENO, STDOUT_FILENO) : (STDOUT_FILENO, STDERR_FILENO)
            posix_spawn_file_actions_adddup2(&actions, input.reader, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output.writer, read)
            posix_spawn_file_actions_addopen(&actions, silent, "/dev/null", O_WRONLY, 0)
            let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let words = ([path] + arguments).map { strdup($0) } + [nil]
            let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
            defer { for text in words + settings { free(text) } }
            var process = pid_t()
            let error = posix_spawn(&process, path, &actions, nil, words, settings)
            close(input.reader)
            close(output.writer)
            self.input = FileHandle(fileDescriptor: input.writer, closeOnDealloc: true)
            self.output = FileHandle(fileDescriptor: output.reader, closeOnDealloc: true)
            self.process = process
            guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
        }

        /// Has the system's shell run a command, and returns what it prints.
        ///
        /// - Throws: A POSIX error, if it can't be started or fails.
        package static func output(of command: String) throws -> Data {
            let shell = try ChildProcess("/bin/sh", ["-c", command])
            try shell.input.close()
            let data = try shell.output.readToEnd() ?? Data()
            guard shell.wait() == 0 else { throw POSIXError(.ENOEXEC) }
            return data
        }

        /// Ends the program without a chance to clean up, and waits for its end.
        ///
        /// Swift Testing's thread that waits for the processes of exit tests sees no further than a child that has ended
        /// and that nobody has waited for: all such tests would hang.
        package func kill() {
            status.withLock { if $0 == nil { send(SIGKILL, to: process) } }
            wait()
        }

        /// Waits for the program's end, and returns its status; that of one that was killed is negative.
        @discardableResult
        package func wait() -> Int32 {
            if let status = status.withLock({ $0 }) { return status }
            var word: Int32 = 0
            var ended = waitpid(process, &word, 0)
            while ended < 0, errno == EINTR { ended = waitpid(process, &word, 0) }
            // Another thread has waited for it.
            if ended < 0 { return status.withLock { $0 } ?? -SIGKILL }
            let signal = word & 0x7F
            let result = signal == 0 ? word >> 8 & 0xFF : -signal
            status.withLock { $0 = result }
            return result
        }

        private static func pipe() throws -> (reader: Int32, writer: Int32) {
            var ends: [Int32] = [0, 0]
            guard makePipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
            // Another child would keep them open.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    // Outside the type, whose own functions have these names.
    private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
    private func send(_ signal: Int32, to process: pid_t) { _ = kill(process, signal) }
#endif
