/// Tells of one call of a handler.
public struct HandlerRun: Sendable {
    /// Names what a handler waits for.
    public enum Kind: Sendable, Equatable {
        /// An answer with a certain status.
        case status(HTTPStatuses)
        /// An attempt that brought no answer.
        case noResponse
        /// A page.
        case page
        /// A successful end.
        case success
        /// An end with an error.
        case error
        /// Any end.
        case completion
        /// The first attempt being sent.
        case start
        /// A further attempt being sent.
        case retry
        /// A redirect being followed.
        case redirect
        /// Content moving.
        case progress
    }

    /// What the handler waited for.
    public let kind: Kind
    /// The file in which it was written, as `Module/File.swift`.
    public var fileID: String { "\(source.fileID)" }
    /// The line in which it was written.
    public var line: Int { Int(source.line) }
    /// The queue or actor on which it ran.
    public var place: String { location.description }
    /// What it returned, if it may take the request over: true to go on, false if it has; or if it is a handler for
    /// pages: true for the next page, false for no more.
    public internal(set) var decision: Bool?
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0
    // Kept as they come: few traces are ever read, and text costs.
    let source: (fileID: StaticString, line: UInt)
    let location: HandlerPlace
}
