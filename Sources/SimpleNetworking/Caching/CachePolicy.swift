/// Decides how a request uses the client's response cache.
///
/// `reload` and `revalidate` also apply to caches between client and server, by means of a `Cache-Control` field (RFC
/// 9111 §5.2.1), unless the request has its own. Responses are stored only if `Configuration.cache` is set.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// Uses a fresh stored response, revalidates a stale one, and stores the server's response.
    ///
    /// This is the default.
    case use
    /// Fetches and stores the response without reading the cache; sends `Cache-Control: no-cache`.
    case reload
    /// Revalidates a stored response; sends `Cache-Control: max-age=0`.
    ///
    /// Fresh responses are revalidated too, unless they are `immutable` (RFC 8246).
    case revalidate
    /// Uses a stored response, even a stale one unless the server forbids it; never uses the network.
    ///
    /// Without a stored response, the request fails with `SimpleNetworkingError.notCached`.
    case onlyCached
    /// Neither uses a stored response nor stores one.
    case none

    /// The directive that applies the policy to caches between client and server; nil for none.
    var directive: String? {
        switch self {
        case .reload: "no-cache"
        case .revalidate: "max-age=0"
        case .use, .onlyCached, .none: nil
        }
    }
}

/// How a request is handled, given the stored response that matches it.
enum CacheDecision {
    /// If it is stale, it is revalidated in the background; `stale-while-revalidate` permits its use (RFC 5861 §3).
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
