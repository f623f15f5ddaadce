/// How soon a request is sent if it has to wait for others, see ``TrafficRules``.
///
/// Of requests with the same priority, the one that came first is sent first. A request passes requests that are one
/// priority lower only if they were executed at most ten seconds before it, so that none waits forever.
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable {
    /// For what no person waits for, such as loading ahead.
    case low
    /// For most requests; the default.
    case normal
    /// For what a person waits for.
    case high
}

extension RequestPriority: Comparable {
    /// Tells whether the first is less urgent than the second.
    public static func < (first: RequestPriority, second: RequestPriority) -> Bool { first.rawValue < second.rawValue }

    /// How many seconds later a request counts as having come than one with a high priority.
    var delay: TimeInterval { 10 * TimeInterval(Self.high.rawValue - rawValue) }
}
