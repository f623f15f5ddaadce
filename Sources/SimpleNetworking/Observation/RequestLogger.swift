/// Writes what a client has to say about its requests.
///
/// Secrets are hidden before a message gets here.
public struct RequestLogger: Sendable {
    /// The most detailed level that is written.
    public var level: LogLevel
    private let write: @Sendable (LogLevel, String) -> Void

    /// Makes a logger that hands each message to a closure, which is called on any thread.
    ///
    /// - Parameters:
    ///   - level: The most detailed level to write. The default is `.warning`.
    ///   - write: Takes a message.
    public init(level: LogLevel = .warning, _ write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.level = level
        self.write = write
    }

    /// Writes to standard error.
    public static let standardError = RequestLogger { level, message in
        FileHandle.standardError.write(Data("SimpleNetworking \(level): \(message)\n".utf8))
    }

    /// Writes nothing.
    public static let silent = RequestLogger(level: .none) { _, _ in }

    /// Writes a message of a client's own, if its level is wanted; otherwise the text is not even made.
    ///
    /// Nothing is hidden in it.
    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        if level <= self.level, level != .none { write(level, message()) }
    }
}
