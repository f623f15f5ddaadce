#if canImport(os)
    import os
#endif

/// Writes what a client has to say about its requests: to the system's log, to standard error, or to a closure.
///
/// Secrets are hidden before a message gets here: in header fields that are marked as secret or known to be, in addresses,
/// forms and JSON by the names of their members. What each level writes, see ``LogLevel``.
public struct RequestLogger: Sendable {
    /// The most detailed level that is written.
    public var level: LogLevel
    /// How many bytes of a request's and an answer's content are written at most, at the level `debug`.
    ///
    /// The default is 4096.
    public var contentLimit = 4096
    private let write: @Sendable (LogLevel, String) -> Void

    /// Makes a logger that hands each message to a closure, which is called on any thread.
    ///
    /// - Parameters:
    ///   - level: The most detailed level to write. The default is `.warning`.
    ///   - write: Takes a message, which may have several lines.
    public init(level: LogLevel = .warning, _ write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Writes to the unified log on Apple platforms, with the subsystem `SimpleNetworking`, and to standard error elsewhere.
    ///
    /// The environment variable `SIMPLENETWORKING_LOG` names another level than `warning`.
    public static let system = RequestLogger(level: levelOfEnvironment ?? .warning, writeToSystem)

    /// Writes to standard error.
    public static let standardError = RequestLogger(writeToStandardError)

    /// Writes nothing.
    public static let silent = RequestLogger(level: .none) { _, _ in }

    /// Writes a message of a client's own, if its level is wanted; otherwise the text is not even made.
    ///
    /// Nothing is hidden in it.
    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level <= self.level, level != .none else { return }
        // No content can look like a message of its own.
        write(level, message().replacingOccurrences(of: "\n", with: "\n    ", options: .literal))
    }
}

extension RequestLogger {
    private static var levelOfEnvironment: LogLevel? {
        ProcessInfo.processInfo.environment["SIMPLENETWORKING_LOG"].flatMap { LogLevel($0) }
    }

    @Sendable
    private static func writeToStandardError(_ level: LogLevel, _ message: String) {
        FileHandle.standardError.write(Data("SimpleNetworking \(level): \(message)\n".utf8))
    }

    #if canImport(os)
        private static let log = os.Logger(subsystem: "SimpleNetworking", category: "requests")

        @Sendable
        private static func writeToSystem(_ level: LogLevel, _ message: String) {
            let type: OSLogType =
                switch level {
                case .none, .debug: .debug
                case .info: .info
                case .warning: .default
                case .error: .error
                }
            // Secrets are gone by now.
            log.log(level: type, "\(message, privacy: .public)")
        }
    #else
        @Sendable
        private static func writeToSystem(_ level: LogLevel, _ message: String) { writeToStandardError(level, message) }
    #endif
}
