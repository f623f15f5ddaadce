import SimpleNetworkingFeatureSupport

/// Responds from a client's cache, and stores responses in it.
enum CacheFeature: Feature {
    static let defaultValue: ResponseCache? = nil

    static let order = 10

    // It keeps the responses of accounts apart.
    static let needsAccount = true

    // An earlier response must not be stored after an invalidation.
    static func identity(of cache: ResponseCache?) -> [Int] { cache.map { [$0.change] } ?? [] }

    static func staysOffline(_ request: TransportRequest, for attempt: Attempt) -> Bool {
        attempt[Self.self] != nil && CacheControl(request.headers).has("only-if-cached")
    }

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        guard place == .lookUp, let cache = attempt[Self.self] else { return nil }
        return CacheStage(cache, for: attempt)
    }

    static func changeReaction(of cache: ResponseCache?) -> ChangeReaction? {
        guard let cache else { return nil }
        return { urls, status, headers in await cache.invalidate(urls, after: status, headers) }
    }
}

/// Applies a cache policy, also without a cache of the client's own.
enum CachePolicyFeature: Feature {
    static let defaultValue = CachePolicy.use

    static let order = 11

    static func staysOffline(_ request: TransportRequest, for attempt: Attempt) -> Bool {
        attempt[Self.self] == .onlyCached
    }

    static func stage(at place: StagePlace, for attempt: Attempt) -> (any Middleware)? {
        guard place == .lookUp, attempt[CacheFeature.self] == nil else { return nil }
        let policy = attempt[Self.self]
        return policy == .onlyCached || policy.directive != nil ? CacheStage(nil, for: attempt) : nil
    }
}

extension SimpleNetworking.Configuration {
    /// The cache, which can serve responses without a request to the server.
    ///
    /// If nil (the default), the client doesn't cache responses. If you pass your own session and it has a cache,
    /// the client consults the session's cache after this one.
    public var cache: ResponseCache? {
        get { self[CacheFeature.self] }
        set { self[CacheFeature.self] = newValue }
    }

    /// The cache policy for requests that don't set their own; the default is `.use`.
    public var cachePolicy: CachePolicy {
        get { self[CachePolicyFeature.self] }
        set { self[CachePolicyFeature.self] = newValue }
    }
}

extension SimpleRequest {
    /// Sets how this request uses the client's response cache; the default is the client's policy.
    ///
    /// The client's default is `.use`.
    @discardableResult public func cachePolicy(_ policy: CachePolicy) -> Self {
        option(CachePolicyFeature.self, policy)
    }
}
