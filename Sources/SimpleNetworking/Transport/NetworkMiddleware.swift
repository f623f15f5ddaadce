/// Middleware that stands for the network, and therefore receives each request as it is sent.
///
/// It is below redirects, uploads, cookies and the cache. It is above the stages in which requests share transfers and
/// wait for their turn, because their timing can't be repeated.
package protocol NetworkMiddleware: Middleware {
    /// Whether it has this place, rather than its place among the configuration's middleware.
    var isAtNetwork: Bool { get }
}

extension [any Middleware] {
    /// The middleware that stands for the network.
    var atNetwork: Self { filter(\.standsForNetwork) }
    /// The other middleware, which receives each attempt once.
    var aboveNetwork: Self { filter { !$0.standsForNetwork } }
}

extension Middleware {
    fileprivate var standsForNetwork: Bool { (self as? any NetworkMiddleware)?.isAtNetwork ?? false }
}
