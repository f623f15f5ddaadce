/// Determines how soon a request is sent if it has to wait; see ``TrafficRules``.
///
/// Requests with the same priority are sent in execution order. A request overtakes requests of the next lower
/// priority only if they were executed at most ten seconds earlier, so no request waits forever.
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable {
    /// For requests that no person waits for, such as prefetching.
    case low
    /// For most requests; the default.
    case normal
    /// For requests that a person waits for.
    case high
}

extension RequestPriority: Comparable {
    /// Returns whether the first priority is lower than the second.
    public static func < (first: RequestPriority, second: RequestPriority) -> Bool { first.rawValue < second.rawValue }

    /// The number of seconds by which a request counts as later than one with a high priority.
    var delay: TimeInterval { 10 * TimeInterval(Self.high.rawValue - rawValue) }
}
