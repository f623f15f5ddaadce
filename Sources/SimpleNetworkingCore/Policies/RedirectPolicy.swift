import SimpleNetworkingSupport

/// Determines which redirects a client follows.
public struct RedirectPolicy: Sendable, Hashable {
    package let limit: Int
    let allowsDowngrade: Bool
    let keepsMethod: Bool

    /// Creates a policy that follows redirects.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects that one attempt follows. The default is 20. With a limit of 0, every
    ///     redirect is returned as the response. Otherwise, an attempt that exceeds the limit fails with
    ///     `SimpleNetworkingError.redirect`. Redirects to the same URL are followed, because the server may be setting
    ///     a cookie, and count toward the limit, because the server may be looping.
    ///   - allowsDowngrade: Whether redirects, links and other URLs in responses may lead from `https` to `http`.
    ///     The default is false.
    ///   - keepsMethod: Whether a POST that is redirected with status 301 or 302 is sent again as a POST with its
    ///     content. The default is false: like browsers, the client sends a GET. Statuses 307 and 308 always keep the
    ///     method, and 303 never does.
    public init(limit: Int = 20, allowsDowngrade: Bool = false, keepsMethod: Bool = false) {
        self.limit = max(0, limit)
        self.allowsDowngrade = allowsDowngrade
        self.keepsMethod = keepsMethod
    }

    /// A policy that follows up to 20 redirects, but never from `https` to `http`.
    public static let follow = RedirectPolicy()
    /// A policy that doesn't follow redirects: a redirect is returned like any other response.
    public static let never = RedirectPolicy(limit: 0)

    /// Returns why a URL in a response isn't used, or nil if it may be used.
    ///
    /// Whatever a server says must not lead from `https` to `http`. `source` is the URL of the response.
    package func refusal(of url: URL, from source: URL) -> String? {
        guard !allowsDowngrade, Origin(source)?.scheme == "https", Origin(url)?.scheme == "http" else { return nil }
        return "it leads from https to http"
    }
}
