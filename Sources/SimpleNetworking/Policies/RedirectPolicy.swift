/// Says which redirects are followed.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects one attempt may follow; 0 hands every redirect over as the answer. The default is 20.
    public var limit: Int
    /// Whether an `https` address may lead to an `http` one. The default is false.
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
