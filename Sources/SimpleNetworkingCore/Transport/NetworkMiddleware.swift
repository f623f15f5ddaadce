import SimpleNetworkingSupport

/// Middleware that stands for the network, and therefore receives each request as it is sent.
///
/// It is below everything that a request waits for.
package protocol NetworkMiddleware: Middleware {
    /// Whether it has this place, rather than its place among the configuration's middleware.
    var isAtNetwork: Bool { get }
}

/// Middleware that sees only what is sent, after a request has waited for everything.
package protocol DepartureMiddleware: Middleware {}

extension [any Middleware] {
    /// The middleware that stands for the network.
    var atNetwork: [any NetworkMiddleware] { compactMap(\.asNetwork) }
    /// The middleware that sees only what is sent.
    var atDeparture: Self { filter { $0 is any DepartureMiddleware } }
    /// The other middleware, which receives each attempt once.
    var aboveNetwork: Self { filter { $0.asNetwork == nil && !($0 is any DepartureMiddleware) } }
}

extension Middleware {
    fileprivate var asNetwork: (any NetworkMiddleware)? {
        (self as? any NetworkMiddleware).flatMap { $0.isAtNetwork ? $0 : nil }
    }
}
