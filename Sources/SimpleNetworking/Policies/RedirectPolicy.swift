/// Says which redirects are followed.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects one attempt may follow; 0 hands every redirect over as the answer; by default 20.
    ///
    /// One more ends with `SimpleNetworkingError.redirect`. Redirects to the same URL count like others: a server may set
    /// a cookie and reload, or send a client in a loop.
    public var limit: Int
    /// Whether an `https` address may lead to an `http` one, by default not.
    public var allowsDowngrade: Bool

    /// Makes a policy.
    public init(limit: Int = 20, allowsDowngrade: Bool = false) {
        self.limit = max(0, limit)
        self.allowsDowngrade = allowsDowngrade
    }

    /// Follows up to 20 redirects, but never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// Follows none: a redirect is an answer like others.
    public static let never = RedirectPolicy(limit: 0)
}
