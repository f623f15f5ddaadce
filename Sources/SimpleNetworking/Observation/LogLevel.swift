/// Says how much a logger wants to hear.
///
/// ```text
/// error    GET https://api.example.com/user was refused with status 404. Nobody heard of it: the request was made at
///          App/Login.swift:12 and has neither an error handler nor a completion handler.
/// warning  GET /user: a second retry() of one attempt does nothing.
/// info     #7 attempt 1: GET https://api.example.com/user?access_token=‹secret› (made at App/Login.swift:12)
///          #7 status 401, 27 bytes
///          #7 renews the credential
///          #7 attempt 2: GET https://api.example.com/user?access_token=‹secret›
///          #7 status 200, 15 bytes
///          #7 ended: success, status 200
/// debug    #7 sends GET https://api.example.com/user?access_token=‹secret›
///              Authorization: ‹secret›
///              Accept: application/json
///              User-Agent: App/2.1 SimpleNetworking/1.0.0 (iOS 18.2)
///          #7 gets status 200 of GET https://api.example.com/user?access_token=‹secret› after 43 ms
///              Content-Type: application/json
///
///              {"name":"Ada","password":"‹secret›"}
///          #7 handler for success (App/Login.swift:14) on main
/// ```
///
/// Each level writes what the levels before it do, too.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case none
    /// What went wrong, and nobody heard of.
    case error
    /// What was asked for and ignored, or looks like a mistake.
    case warning
    /// What happened: attempts, statuses, redirects, retries, renewals, the end.
    case info
    /// Everything: header fields, content up to a limit, and handlers too.
    case debug

    /// Tells whether a level is less detailed than another.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

extension LogLevel: LosslessStringConvertible {
    /// Finds a level by its name, such as `"debug"`.
    public init?(_ description: String) {
        guard let level = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = level
    }

    /// The level's name.
    public var description: String {
        switch self {
        case .none: "none"
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
