/// Says what a request does with a client's response cache.
///
/// Without `Configuration.cache` there is nothing stored, so that `use` and `none` do nothing. `reload` and `revalidate`
/// also ask the caches on the way, by a `Cache-Control` field (RFC 9111 §5.2.1), unless the request has one of its own.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
    /// Takes a stored answer while it is fresh, asks whether it still holds when it is not, and stores what comes.
    ///
    /// The default.
    case use
    /// Fetches the answer whatever is stored, and stores it; sends `Cache-Control: no-cache`.
    case reload
    /// Asks the server whether a stored answer still holds, however fresh it is, and stores what comes; sends
    /// `Cache-Control: max-age=0`.
    case revalidate
    /// Takes a stored answer, though it may be stale unless its server forbids that, and never touches the network.
    ///
    /// Where nothing fits, the request ends with `SimpleNetworkingError.notCached`.
    case onlyCached
    /// Neither takes a stored answer nor stores one.
    case none

    /// The directive that has the caches on the way do the same; nil if they are left alone.
    var directive: String? {
        switch self {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .use, .onlyCached, .none: nil
        }
    }
}
