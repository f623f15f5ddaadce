/// Says what a request does with a client's response cache.
///
/// Without `Configuration.cache` there is nothing stored, so that only `onlyCached` makes a difference.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
    /// Takes a stored answer while it is fresh, asks whether it still holds when it is not, and stores what comes.
    ///
    /// The default.
    case use
    /// Fetches the answer whatever is stored, and stores it.
    case reload
    /// Asks the server whether a stored answer still holds, however fresh it is, and stores what comes.
    case revalidate
    /// Takes a stored answer, though it may be stale unless its server forbids that, and never touches the network.
    ///
    /// Where nothing fits, the request ends with `SimpleNetworkingError.notCached`.
    case onlyCached
    /// Neither takes a stored answer nor stores one.
    case none
}
