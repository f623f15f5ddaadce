import Logging
import SimpleNetworking

/// Passes a client's messages on to swift-log.
extension RequestLogger {
    /// Creates a logger that writes to a swift-log logger, as much as that one lets through.
    ///
    /// The messages of one request share its number, which is the metadata `request` as well. Secrets are hidden before
    /// a message is passed on. The level is read once; to change it later, set the client's `logLevel`.
    public init(_ logger: Logger) {
        self.init(level: LogLevel(atLeast: logger.logLevel)) { level, message in
            logger.log(
                level: Logger.Level(level),
                "\(message)",
                metadata: message.requestNumber.map { ["request": "\($0)"] },
                source: "SimpleNetworking"
            )
        }
    }
}

extension LogLevel {
    /// The most detailed level whose messages a logger of this level lets through.
    fileprivate init(atLeast level: Logger.Level) {
        switch level {
        case .trace, .debug: self = .debug
        case .info: self = .info
        case .notice, .warning: self = .warning
        case .error: self = .error
        case .critical: self = .none
        }
    }
}

extension Logger.Level {
    fileprivate init(_ level: LogLevel) {
        switch level {
        case .none, .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}

extension String {
    /// The number at the start of a message about a request: “#7 status 200, 15 bytes”.
    fileprivate var requestNumber: Substring? {
        guard hasPrefix("#") else { return nil }
        let digits = dropFirst().prefix(while: \.isWholeNumber)
        return digits.isEmpty ? nil : digits
    }
}
