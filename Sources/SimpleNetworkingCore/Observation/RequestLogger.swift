import SimpleNetworkingSupport

#if canImport(os)
    import os
#endif

/// Logs a client's requests to the system log, to standard error, or to a closure.
///
/// The logger hides secrets: header fields marked or known as secret, and values in URLs, forms and JSON whose names
/// indicate a secret. See ``LogLevel`` for examples of messages.
public struct RequestLogger: Sendable {
    /// The most detailed level that is logged.
    public var level: LogLevel
    /// The maximum number of body bytes that are logged at the level `debug`.
    ///
    /// The default is 4096.
    public var contentLimit = 4096
    private let write: @Sendable (LogLevel, String) -> Void

    /// Creates a logger that passes each message to the given closure.
    ///
    /// A message may have several lines, and the client may call the closure on any thread. The default level is
    /// `warning`.
    public init(level: LogLevel = .warning, _ write: @escaping @Sendable (LogLevel, String) -> Void) {
        self.level = level
        self.write = write
    }

    /// A logger that writes to the unified log on Apple platforms, and to standard error elsewhere.
    ///
    /// The subsystem is `SimpleNetworking`. The level is the value of the environment variable `SIMPLENETWORKING_LOG`,
    /// or `.warning` if the variable doesn't name a level.
    public static let system: RequestLogger = {
        let level = ProcessInfo.processInfo.environment["SIMPLENETWORKING_LOG"].flatMap { LogLevel($0) } ?? .warning
        #if canImport(os)
            let log = os.Logger(subsystem: "SimpleNetworking", category: "requests")
            return RequestLogger(level: level) { level, message in
                let type: OSLogType =
                    switch level {
                    case .none, .debug: .debug
                    case .info: .info
                    case .warning: .default
                    case .error: .error
                    }
                // Secrets are already hidden.
                log.log(level: type, "\(message, privacy: .public)")
            }
        #else
            var logger = standardError
            logger.level = level
            return logger
        #endif
    }()

    /// A logger that writes to standard error.
    public static let standardError = RequestLogger { level, message in
        StandardError.write("SimpleNetworking \(level): \(message)\n")
    }

    /// A logger that logs nothing.
    public static let silent = RequestLogger(level: .none) { _, _ in }

    /// Logs your own message.
    ///
    /// The message is evaluated only if its level is logged.
    ///
    /// The logger doesn't hide secrets in the message.
    @inline(never)  // Inlined 12 times, it took 3 KB.
    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level <= self.level, level != .none else { return }
        // Indented, and without other control characters, so that no content can be mistaken for a message.
        let text = message().withoutControlCharacters(except: "\n\t".unicodeScalars)
        write(level, text.replacingAll("\n", with: "\n    "))
    }
}

/// Selects which messages are logged.
///
/// ```text
/// error    GET https://api.example.com/user was refused with status 404. The error is unhandled: the request was made at
///          App/Login.swift:12, and has neither an error handler nor a completion handler.
/// warning  GET /user: a second retry() of one attempt does nothing.
/// info     #7 attempt 1: GET https://api.example.com/user?access_token=‹secret› (made at App/Login.swift:12)
///          #7 status 401, 27 bytes
///          #7 refreshes the credential
///          #7 attempt 2: GET https://api.example.com/user?access_token=‹secret›
///          #7 status 200, 15 bytes
///          #7 ended: success, status 200
/// debug    #7 sends GET https://api.example.com/user?access_token=‹secret›
///              Authorization: ‹secret›
///              Accept: */*;q=0.5, application/json
///              User-Agent: App/2.1 SimpleNetworking/1.0.0 (iOS 18.2)
///          #7 gets status 200 of GET https://api.example.com/user?access_token=‹secret› after 43 ms
///              Content-Type: application/json
///
///              {"name":"Ada","password":"‹secret›"}
///          #7 handler for success (App/Login.swift:14) on main
/// ```
///
/// Each level includes the levels before it.
public enum LogLevel: Sendable, Comparable, CaseIterable {
    /// No messages.
    case none
    /// Unhandled errors.
    case error
    /// Calls that have no effect, and likely mistakes.
    case warning
    /// The main events: attempts, statuses, redirects, retries, refreshes and outcomes.
    case info
    /// All events, including handler calls, with header fields and up to `contentLimit` bytes of content.
    case debug
}

extension LogLevel: Described {
    /// Creates a level from its name, such as `"debug"`.
    init?(_ description: String) {
        guard let level = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = level
    }

    /// The level's name.
    package var shownText: String {
        switch self {
        case .none: "none"
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}

/// Formats a request or a response for the log.
struct WireMessage {
    let start: String
    let headers: HTTPHeaders
    let body: RequestBody
    /// The secrets to hide wherever they occur.
    let secrets: [String]

    init(_ head: RequestHead, _ body: RequestBody) {
        start = "sends \(head)"
        headers = head.headers
        self.body = body
        secrets = Self.secrets(of: head.headers, body) + Redaction.secrets(of: head.url)
    }

    /// Creates the message for a response, which may contain its request's secrets as well as its own.
    init(_ response: ResponseParts, to head: RequestHead, _ sent: RequestBody) {
        start = "gets status \(response.status) of \(head) after \(response.metrics.total.wholeMilliseconds) ms"
        headers = response.headers
        body = response.body.isEmpty ? .none : .data(response.body)
        secrets = WireMessage(head, sent).secrets + Self.secrets(of: headers, body)
    }

    private static func secrets(of headers: HTTPHeaders, _ body: RequestBody) -> [String] {
        guard case .data(let data) = body, data.count <= 1 << 20 else { return Redaction.secrets(of: headers) }
        let type = headers["Content-Type"].map { MediaType($0) }
        return Redaction.secrets(of: headers) + Redaction.secrets(of: data, type: type)
    }

    /// Returns the message with its own secrets and the secrets that the client has sent hidden.
    ///
    /// The message contains at most `limit` bytes of content.
    func text(limit: Int, hiding memory: SecretMemory) -> String {
        let hiding = SecretReplacement(secrets)
        func hide(_ text: String) -> String { memory.hide(in: hiding.text(of: text)) }
        let lines = [start] + headers.fields.map { "\($0.name): \(Redaction.text(of: $0))" }
        let type = headers.contentType
        let content =
            switch body {
            case .none: ""
            case .data(let data): "\n\n" + Redaction.text(ofContent: data, type: type, limit: limit, hide: hide)
            case .file, .stream, .chunks: "\n\n" + hide("(\(body))")
            }
        return hide(lines.joined(separator: "\n")) + content
    }
}
