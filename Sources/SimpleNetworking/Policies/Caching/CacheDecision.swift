/// What to do about a request, given the stored answer that would fit it.
enum CacheDecision {
    case give(StoredResponse, age: TimeInterval)
    /// Ask the server whether it still holds.
    case ask(StoredResponse)
    case fetch
    /// Nothing fits, and the network must not be touched.
    case notCached

    init(_ stored: StoredResponse?, for request: RequestHead, _ policy: CachePolicy, now: Date) {
        let wishes = CacheControl(request.headers)
        let isOffline = policy == .onlyCached || wishes.has("only-if-cached")
        guard let stored else {
            self = isOffline ? .notCached : .fetch
            return
        }
        let age = stored.age(at: now)
        if policy != .revalidate, !request.wantsValidation(wishes), stored.suits(wishes, age: age, policy) {
            self = .give(stored, age: age)
        } else if isOffline {
            self = .notCached
        } else {
            // HEAD has no content that a 304 could confirm.
            self = stored.hasValidator && request.method == .get ? .ask(stored) : .fetch
        }
    }
}

extension RequestHead {
    fileprivate func wantsValidation(_ wishes: CacheControl) -> Bool {
        if wishes.has("no-cache") { return true }
        // HTTP/1.0's word for it (RFC 9111 §5.4).
        return !headers.contains("Cache-Control") && CacheControl(pragma: headers).has("no-cache")
    }
}

extension StoredResponse {
    /// Tells whether the answer may be given without asking (RFC 9111 §4, §5.2.1).
    fileprivate func suits(_ wishes: CacheControl, age: TimeInterval, _ policy: CachePolicy) -> Bool {
        let directives = directives
        if directives.has("no-cache") { return false }
        if let limit = wishes.seconds("max-age"), age > limit { return false }
        let rest = lifetime - age
        if let least = wishes.seconds("min-fresh", missing: .infinity, invalid: .infinity), rest < least {
            return false
        }
        if rest > 0 { return true }
        if directives.has("must-revalidate") { return false }
        if policy == .onlyCached { return true }
        // Without a number it is “however stale”.
        return wishes.seconds("max-stale", missing: .infinity).map { -rest <= $0 } ?? false
    }
}
