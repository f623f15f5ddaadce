import SimpleNetworkingFeatureSupport

/// Describes what the response cache did for a request.
///
/// ```swift
/// if case .note(let step as CacheStep) = event.kind { count(step) }
/// ```
public enum CacheStep: RequestNote, Hashable {
    /// The cache served a stored response without contacting the server.
    ///
    /// If permitted, the cache also serves a stored response instead of a server error.
    case hit
    /// The cache served a stored response that the server validated.
    case revalidated
    /// The cache stored the server's response.
    case stored

    /// The step in one line, for the trace and the log.
    public var description: String {
        switch self {
        case .hit: "served from the cache"
        case .revalidated: "served from the cache, revalidated by the server"
        case .stored: "stored in the cache"
        }
    }
}
