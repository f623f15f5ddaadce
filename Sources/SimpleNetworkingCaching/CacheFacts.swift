import SimpleNetworkingFeatureSupport

/// Holds what the cache must know of a request at one moment: what it asks for, and for whom.
struct CacheFacts: Sendable {
    let owner: RequestOwnerIdentity
    let time: Date
    var head: RequestHead { owner.head }

    /// Reads a request with its credential and its cookies, without fields that the cache has added.
    init(_ request: TransportRequest, without added: HTTPHeaders = [:], of attempt: Attempt, at time: Date) {
        owner = attempt.owner(of: request, without: added)
        self.time = time
    }

    func key(in cache: ResponseCache) async -> CacheKey { await cache.key(for: owner) }
}
