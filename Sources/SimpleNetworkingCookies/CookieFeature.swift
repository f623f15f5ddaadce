import SimpleNetworkingFeatureSupport

/// Sends the cookies of a client's jar, and stores those that responses set.
enum CookieFeature: Feature {
    static let defaultValue: CookieJar? = nil

    static let order = 0

    static func user(of jar: CookieJar?) -> Int? { jar?.user }

    static func identity(of jar: CookieJar?) -> [Int] { jar.map(\.version) ?? [] }

    static func depart(_ request: inout TransportRequest, for attempt: Attempt) throws -> HeadReaction? {
        guard let jar = attempt[Self.self] else { return nil }
        let contents = jar.contents(for: request.url)
        guard try attempt.claim(contents.user, of: Self.self, for: request) else { return nil }
        request.add(contents.cookies)
        return { [url = request.url] _, headers in jar.store(headers, from: url, since: contents.generation) }
    }
}

extension TransportRequest {
    /// Adds cookies, except those whose names the request's own `Cookie` field has.
    fileprivate mutating func add(_ cookies: [Cookie]) {
        let own = headers["Cookie"]
        let ownNames = (own ?? "").pieces(between: ";").map { $0.parts(at: "=").before.trimmed }
        let pairs = cookies.filter { !ownNames.contains($0.name) }.map(\.pair)
        if !pairs.isEmpty { headers["Cookie"] = (pairs + [own].compactMap { $0 }).joined(separator: "; ") }
    }
}

extension SimpleNetworking.Configuration {
    /// The cookie jar, which stores and sends cookies.
    ///
    /// If nil (the default), the client neither stores nor sends cookies.
    public var cookieJar: CookieJar? {
        get { self[CookieFeature.self] }
        set { self[CookieFeature.self] = newValue }
    }
}
