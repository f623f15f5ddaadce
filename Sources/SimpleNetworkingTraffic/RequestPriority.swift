import SimpleNetworkingFeatureSupport

/// Determines the order in which waiting requests are sent; see ``TrafficRules``.
///
/// Requests with the same priority are sent in the order in which they were executed, even if they are resent after a
/// 401. A request overtakes requests with the next lower priority only if they were executed at most ten seconds
/// earlier, so no request waits forever. Between `high` and `low`, these are twenty seconds.
///
/// The client also passes the priority to URLSession as a hint. libcurl has no such setting.
public enum RequestPriority: Int, Sendable, Hashable, CaseIterable {
    /// The priority for requests that no user waits for, such as prefetching.
    case low
    /// The default priority, for most requests.
    case normal
    /// The priority for requests that a user waits for.
    case high
}

extension RequestPriority: Comparable {
    /// Returns whether the first priority is lower than the second.
    public static func < (first: RequestPriority, second: RequestPriority) -> Bool { first.rawValue < second.rawValue }

    /// The number of seconds by which a request is treated as executed later than a request with a high priority.
    var delay: TimeInterval { 10 * TimeInterval(Self.high.rawValue - rawValue) }
}
