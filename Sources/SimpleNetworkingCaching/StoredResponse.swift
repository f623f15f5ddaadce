import SimpleNetworkingFeatureSupport

/// Represents a response as the cache stores it.
struct StoredResponse: Sendable {
    let entry: CacheKey.Entry
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    /// The time when the request that fetched or last validated the response was sent.
    let requestTime: Date
    /// The time when the response to the fetching or validating request arrived.
    let responseTime: Date

    /// The statuses whose responses may be reused with heuristic freshness (RFC 9110 §15.1).
    static let heuristic: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    /// The other statuses that this cache understands (RFC 9111 §3).
    private static let understood: Set<Int> = [302, 303, 307, 403, 451]
    /// The statuses that are never stored: 206, 304, requests for credentials, and the statuses of RFC 6585.
    private static let unstorable: Set<Int> = [206, 304, 401, 407, 428, 429, 431, 511]

    var directives: CacheControl { CacheControl(headers) }

    /// An estimate of the response's size in bytes, which is at least its size in a file.
    var cost: Int { headers.reduce(512 + body.count) { $0 + 2 * ($1.name.utf8.count + $1.value.utf8.count) + 16 } }

    /// Returns whether a request matches all the fields that the response varies with.
    func matches(_ key: CacheKey) -> Bool { headers.variedNames.map { key.entry(varyingWith: $0) == entry } ?? false }

    private var isStorable: Bool {
        guard (200...599).contains(status), !Self.unstorable.contains(status) else { return false }
        let directives = directives
        let isHeuristic = Self.heuristic.contains(status)
        // With `must-understand`, a cache that understands the status may ignore `no-store` (§5.2.2.3).
        let isUnderstood = isHeuristic || Self.understood.contains(status)
        guard directives.has("must-understand") ? isUnderstood : !directives.has("no-store") else { return false }
        return hasValidator && isHeuristic || lifetime > 0 && !directives.has("no-cache")
    }
}

extension StoredResponse {
    /// Creates the stored form of a response; nil if it must not be stored, or can't be reused (RFC 9111 §3).
    init?(
        _ key: CacheKey,
        of request: RequestHead,
        _ status: Int,
        _ headers: HTTPHeaders,
        body: Data,
        times: (request: Date, response: Date)
    ) {
        guard request.method == .get, !CacheControl(request.headers).has("no-store"), headers.isPlainlyTransferred,
            let names = headers.variedNames
        else { return nil }
        self.init(
            entry: key.entry(varyingWith: names),
            status: status,
            headers: headers.storable,
            body: body,
            requestTime: times.request,
            responseTime: times.response
        )
        guard isStorable else { return nil }
    }
}

// MARK: - Freshness and validation

extension StoredResponse {
    /// The freshness lifetime in seconds (RFC 9111 §4.2.1); a private cache ignores `s-maxage`.
    var lifetime: TimeInterval {
        let directives = directives
        if let seconds = directives.seconds("max-age") { return seconds }
        if let expires = headers["Expires"] {
            // An invalid date, such as "0", counts as past (RFC 9111 §5.3); so do two dates.
            return HTTPDate.strictDate(expires, now: responseTime).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard Self.heuristic.contains(status) || directives.has("public"),
            let modified = headers["Last-Modified"].flatMap({ HTTPDate.date($0, now: responseTime) })
        else { return 0 }
        return max(0, date.timeIntervalSince(modified) / 10)
    }

    /// Returns the best known time in seconds since the server created or validated the response (RFC 9111 §4.2.3).
    func age(at now: Date) -> TimeInterval {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        // The first age set by caches along the way, without parameters (RFC 9111 §5.1).
        let first = headers["Age"]?.parts(at: ",").before
        let stated = (first?.parts(at: ";").before.trimmed).flatMap { FieldDelay.seconds($0) }
        let corrected = (stated ?? 0) + max(0, responseTime.timeIntervalSince(requestTime))
        // If the clock was set back, the age is unknown; the larger estimate is safer.
        return max(apparent, corrected) + abs(now.timeIntervalSince(responseTime))
    }

    /// The date of the response according to the server (RFC 9110 §6.6.1).
    private var date: Date {
        headers.values(for: "Date").first.flatMap { HTTPDate.date($0, now: responseTime) } ?? responseTime
    }

    /// Returns whether `stale-while-revalidate` or `stale-if-error` permits using the response at an age (RFC 5861).
    ///
    /// With `must-revalidate`, neither directive permits it.
    func permits(_ directive: String, age: TimeInterval, _ requested: CacheControl? = nil) -> Bool {
        let directives = directives
        guard !directives.has("must-revalidate"), !directives.has("no-cache") else { return false }
        return [directives, requested].contains { age - lifetime <= $0?.seconds(directive) ?? -.infinity }
    }

    /// Whether the server can validate the response (RFC 9111 §4.3.1).
    var hasValidator: Bool { headers.contains("ETag") || headers.contains("Last-Modified") }

    /// The fields of a conditional request that validates the response.
    var conditions: HTTPHeaders {
        var fields = HTTPHeaders()
        if let tag = headers.values(for: "ETag").first { fields["If-None-Match"] = tag }
        if let modified = headers.values(for: "Last-Modified").first { fields["If-Modified-Since"] = modified }
        return fields
    }

    /// Returns whether a 304 with these fields validates this response (RFC 9111 §4.3.4).
    func isValidated(by notModified: HTTPHeaders) -> Bool {
        let tags = [notModified, headers].compactMap { $0.values(for: "ETag").first }
        let opaqueTags = tags.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] }
        return opaqueTags.count < 2 || opaqueTags[0] == opaqueTags[1]
    }
}

// MARK: - Header fields

extension HTTPHeaders {
    /// The fields that a cache stores, without connection fields (RFC 9111 §3.1) and cookies.
    ///
    /// A stored cookie would be restored after its removal.
    fileprivate var storable: HTTPHeaders {
        var kept = self
        kept.remove(members(of: "Connection"))
        kept.remove([
            "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
            "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie",
        ])
        return kept
    }

    /// Whether the body has no remaining transfer coding; transports remove only `chunked`.
    fileprivate var isPlainlyTransferred: Bool {
        members(of: "Transfer-Encoding").allSatisfy { ["", "chunked", "identity"].contains($0.lowercased()) }
    }

    /// The names in `Vary`; nil for `*`, which matches no request (RFC 9111 §4.1).
    fileprivate var variedNames: [String]? {
        let names = members(of: "Vary").filter { !$0.isEmpty }
        return names.contains("*") ? nil : names
    }

    /// Returns the stored fields, updated with the fields of a 304 (RFC 9111 §3.2).
    func updated(by notModified: HTTPHeaders) -> HTTPHeaders {
        var updated = self
        var news = notModified.storable
        // The 304 did not pass through the cache that set it.
        updated["Age"] = nil
        // Without a date, the 304 is of the time when it was received (RFC 9110 §6.6.1).
        updated["Date"] = nil
        news.remove(["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"])
        updated.merge(news)
        return updated
    }
}
