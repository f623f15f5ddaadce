import SimpleNetworkingFeatureSupport

/// Specifies how a request uses the client's response cache.
///
/// With `reload` and `revalidate`, the client also sends a `Cache-Control` field (RFC 9111 §5.2.1), which applies to
/// caches between client and server. If the request has its own `Cache-Control` field, the client sends that field
/// instead. Responses are stored only if `Configuration.cache` is set.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// Uses a fresh stored response, revalidates a stale response, and stores the server's response.
    ///
    /// This is the default policy.
    case use
    /// Fetches and stores the response without reading the cache, and sends `Cache-Control: no-cache`.
    case reload
    /// Revalidates a stored response, and sends `Cache-Control: max-age=0`.
    ///
    /// Fresh responses are also revalidated, unless they are `immutable` (RFC 8246).
    case revalidate
    /// Uses a stored response, and never uses the network.
    ///
    /// A stale response is also used, unless it is a `must-revalidate` response. A `no-cache` response is never used.
    /// If there is no usable response, the request fails with `SimpleNetworkingError.notCached`.
    case onlyCached
    /// Neither uses stored responses nor stores the server's response.
    case none

    /// The directive that applies the policy to caches between client and server; nil if no directive is sent.
    var directive: String? {
        switch self {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .use, .onlyCached, .none: nil
        }
    }
}

/// Specifies how a request is handled, given the stored response that matches it.
enum CacheDecision {
    /// The stored response is used.
    ///
    /// If `stale-while-revalidate` permits the use of a stale response (RFC 5861 §3), the client revalidates the
    /// response in the background.
    case serve(StoredResponse, age: TimeInterval, isRevalidated: Bool)
    /// The request is sent, as a validation if a stored response is given.
    case send(validating: StoredResponse?)
    /// No stored response matches, and the network must not be used.
    case notCached

    init(_ stored: StoredResponse?, for request: RequestHead, _ policy: CachePolicy, now: Date) {
        let requested = CacheControl(request.headers)
        let isOffline = policy == .onlyCached || requested.has("only-if-cached")
        guard let stored else {
            self = isOffline ? .notCached : .send(validating: nil)
            return
        }
        let age = stored.age(at: now)
        let rest = stored.lifetime - age
        // A 304 to HEAD, or to a range request, doesn't validate the stored content.
        let mayRevalidate = !isOffline && request.method == .get && !request.headers.contains("Range")
        let isRevalidated = mayRevalidate && rest <= 0 && stored.permits("stale-while-revalidate", age: age)
        let mayServe = policy != .revalidate || rest > 0 && stored.directives.has("immutable")
        if mayServe, !request.wantsValidation(requested),
            stored.satisfies(requested, age: age, rest: rest, mayBeStale: policy == .onlyCached || isRevalidated)
        {
            self = .serve(stored, age: age, isRevalidated: isRevalidated)
        } else if isOffline {
            self = .notCached
        } else {
            self = .send(validating: stored.hasValidator && mayRevalidate ? stored : nil)
        }
    }
}

extension RequestHead {
    fileprivate func wantsValidation(_ requested: CacheControl) -> Bool {
        if requested.has("no-cache") { return true }
        // The HTTP/1.0 form of `no-cache` (RFC 9111 §5.4).
        return !headers.contains("Cache-Control") && CacheControl(pragma: headers).has("no-cache")
    }
}

extension StoredResponse {
    /// Returns whether the response may be used without validation (RFC 9111 §4, §5.2.1).
    fileprivate func satisfies(
        _ requested: CacheControl,
        age: TimeInterval,
        rest: TimeInterval,
        mayBeStale: Bool
    ) -> Bool {
        if directives.has("no-cache") { return false }
        if let limit = requested.seconds("max-age"), age > limit { return false }
        if let least = requested.seconds("min-fresh", missing: .infinity, invalid: .infinity), rest < least {
            return false
        }
        if rest > 0 { return true }
        if directives.has("must-revalidate") { return false }
        if mayBeStale { return true }
        // Without a number, any staleness is accepted.
        return requested.seconds("max-stale", missing: .infinity).map { -rest <= $0 } ?? false
    }
}
