import SimpleNetworkingSupport

/// Identifies a server by the scheme, the host and the port of a URL (RFC 6454).
public struct Origin: Hashable, Sendable, LosslessStringConvertible, Described {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lowercase; an IPv6 address has no brackets.
    package let host: String
    /// The port, or the scheme's default port.
    let port: Int

    /// Creates the origin of a URL; nil if its scheme isn't `http` or `https`, or if it has no host.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty else { return nil }
        switch scheme {
        case "https": port = url.port ?? 443
        case "http": port = url.port ?? 80
        default: return nil
        }
        // Without full Foundation, `URL` has the host as it was written.
        guard let ascii = InternationalHost.ascii(host) else { return nil }
        self.scheme = scheme
        self.host = ascii
    }

    /// Creates the origin of a URL string such as `"https://api.example.com"`.
    ///
    /// The path is ignored.
    public init?(_ text: String) {
        guard let url = URL(string: text) else { return nil }
        self.init(url)
    }

    /// The origin as a string, without the scheme's default port.
    package var shownText: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let isOwnPort = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(name)" + (isOwnPort ? "" : ":\(port)")
    }
}
