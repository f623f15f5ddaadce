/// Names the request that an event belongs to.
public struct ObservedRequest: Sendable, CustomStringConvertible {
    /// A number that no other request of the process has; the same for all attempts, redirects and pages.
    public let number: Int
    /// The method and the path or address as it was given, with secrets hidden.
    public let description: String
    /// The marks that `tag(_:_:)` set.
    public let tags: [String: String]
    /// The file in which the request was made, as `Module/File.swift`.
    public let fileID: String
    /// The line in which the request was made.
    public let line: Int
}
