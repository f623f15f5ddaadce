import Foundation
import SimpleNetworkingCore

/// The target of a request, parsed once.
struct RequestTarget: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: Int?
    /// The path, decoded, without a trailing slash.
    let path: String
    /// The path, decoded, with the URL's trailing slash, if any.
    let wholePath: String

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? ["http": 80, "https": 443][scheme]
        // As it is sent, because a URL without a path refers to the root.
        path = url.path.isEmpty ? "/" : url.path
        let encoded = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        wholePath = encoded.hasSuffix("/") && !path.hasSuffix("/") ? path + "/" : path
    }

    /// Returns the host, with its port if a pattern specifies one.
    func authority(withPort: Bool) -> String { withPort ? "\(host):\(port ?? 0)" : host }
}

/// A pattern for targets: a path, which may have wildcards, on any host or on one.
struct TargetPattern: Sendable {
    /// The pattern as written.
    let text: String
    let path: PathPattern
    private let scheme: String?
    private let host: String?
    private let port: Int?

    /// - Parameters:
    ///   - text: `/users/{id}` or `*`; with a host, `https://api.example.com/users/{id}` or `//api.example.com`.
    ///   - host: The host for a pattern that has none, as `name` or `name:port`; nil for any.
    init(_ text: String, host: String? = nil) {
        self.text = text
        guard let slashes = text.range(of: "//"), text[..<slashes.lowerBound].allSatisfy({ $0 != "/" }) else {
            path = PathPattern(text)
            scheme = nil
            (self.host, port) = Self.parts(of: host)
            return
        }
        let scheme = text[..<slashes.lowerBound].dropLast().lowercased()
        self.scheme = scheme.isEmpty ? nil : scheme
        let rest = text[slashes.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        (self.host, port) = Self.parts(of: String(authority))
        path = PathPattern(authority.count == rest.count ? "*" : String(rest.dropFirst(authority.count)))
    }

    private static func parts(of authority: String?) -> (host: String?, port: Int?) {
        guard let authority = authority?.lowercased() else { return (nil, nil) }
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[authority.index(after: colon)...])
        else {
            return (authority, nil)
        }
        return (String(authority[..<colon]), port)
    }

    /// Whether it is the pattern for requests that match nothing else.
    var isAny: Bool { text == "*" }

    func matches(_ place: RequestTarget) -> Bool { matchesHost(of: place) && path.matches(place) }

    func matchesHost(of place: RequestTarget) -> Bool {
        (scheme == nil || scheme == place.scheme) && (host == nil || host == place.host)
            && (port == nil || port == place.port)
    }

    /// Compares the host of the pattern with that of a request; nil for a pattern without a host.
    func hostComparison(with place: RequestTarget) -> Comparison? {
        guard let host else { return nil }
        let prefix = scheme.map { "\($0)://" } ?? ""
        return Comparison(
            aspect: "host",
            expected: prefix + host + (port.map { ":\($0)" } ?? ""),
            actual: (scheme == nil ? "" : "\(place.scheme)://") + place.authority(withPort: port != nil),
            isEqual: matchesHost(of: place)
        )
    }
}

/// A path with wildcards: `/users/*`, `/users/{id}`, `/files/**`, or `*` for any.
struct PathPattern: Sendable {
    let text: String
    private let segments: [String]

    init(_ text: String) {
        self.text = text
        segments = Self.segments(of: text)
    }

    private var isAny: Bool { text == "*" }

    /// The only path that the pattern matches, without a trailing slash; nil with wildcards.
    var onlyPath: String? {
        guard !isAny, !segments.contains(where: Self.isWildcard) else { return nil }
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Returns whether a path matches; a pattern with a trailing slash requires one in the URL.
    func matches(_ place: RequestTarget) -> Bool {
        isAny || text == place.path || text == place.wholePath || values(in: place) != nil
    }

    /// Returns the segments that match the names in braces; nil if the path does not match.
    func values(in place: RequestTarget) -> [String: String]? { values(in: place.path) ?? values(in: place.wholePath) }

    private func values(in path: String) -> [String: String]? {
        let parts = Self.segments(of: path)
        let isOpen = segments.last == "**"
        let fixed = isOpen ? segments.dropLast() : segments[...]
        guard isOpen ? parts.count >= fixed.count : parts.count == fixed.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(fixed, parts) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                guard !part.isEmpty else { return nil }
                values[String(segment.dropFirst().dropLast())] = part
            } else if segment != part, segment != "*" || part.isEmpty {
                return nil
            }
        }
        return values
    }

    /// Returns the number of segments that differ.
    func distance(to place: RequestTarget) -> Int {
        if matches(place) { return 0 }
        let parts = Self.segments(of: place.path)
        let shared = zip(segments, parts).filter { segment, part in segment == part || Self.isWildcard(segment) }
        // A path that differs only in its trailing slash is not equal.
        return max(1, max(segments.count, parts.count) - shared.count)
    }

    private static func isWildcard(_ segment: String) -> Bool {
        segment == "*" || segment == "**" || segment.hasPrefix("{")
    }

    private static func segments(of path: String) -> [String] {
        // The first is empty, because paths begin with a slash.
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }
}
