extension StoredResponse {
    /// Seconds for which the answer is fresh (RFC 9111 §4.2.1); a private cache has no use for `s-maxage`.
    var lifetime: TimeInterval {
        let directives = directives
        if let seconds = directives.seconds("max-age") { return seconds }
        if let expires = headers["Expires"] {
            // What is no date, above all "0", has passed (RFC 9111 §5.3); two dates are none.
            return HTTPDate.strictDate(expires, now: responseTime).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard Self.heuristic.contains(status) || directives.has("public"),
            let modified = headers["Last-Modified"].flatMap({ HTTPDate.date($0, now: responseTime) })
        else { return 0 }
        return max(0, date.timeIntervalSince(modified) / 10)
    }

    /// Seconds since the answer was made or confirmed by its server, as far as can be known (RFC 9111 §4.2.3).
    func age(at now: Date) -> TimeInterval {
        let apparent = max(0, responseTime.timeIntervalSince(date))
        let stated = statedAge ?? 0
        let corrected = stated + max(0, responseTime.timeIntervalSince(requestTime))
        // A clock that was set back leaves the age unknown: the larger guess is the safer one.
        return max(apparent, corrected) + abs(now.timeIntervalSince(responseTime))
    }

    /// The first of the ages that caches on the way have named (RFC 9111 §5.1), without parameters; nil if that is none.
    private var statedAge: TimeInterval? {
        let first = headers["Age"]?.split(separator: ",", omittingEmptySubsequences: false).first
        return (first?.prefix { $0 != ";" }.trimmed).flatMap { CacheControl.seconds($0) }
    }

    /// Whether the server can be asked about it (RFC 9111 §4.3.1).
    var hasValidator: Bool { headers.contains("ETag") || headers.contains("Last-Modified") }

    /// The fields that ask the server whether the answer still holds.
    var conditions: HTTPHeaders {
        var fields = HTTPHeaders()
        if let tag = headers.values(for: "ETag").first { fields["If-None-Match"] = tag }
        if let modified = headers.values(for: "Last-Modified").first { fields["If-Modified-Since"] = modified }
        return fields
    }

    /// Tells whether a 304 speaks of this answer, and not of another one (RFC 9111 §4.3.4).
    func isConfirmed(by headers: HTTPHeaders) -> Bool {
        guard let tag = headers.values(for: "ETag").first, let own = self.headers.values(for: "ETag").first else {
            return true
        }
        return tag.withoutWeakness == own.withoutWeakness
    }

    /// The answer with the fields that a 304 brings (RFC 9111 §3.2).
    func confirmed(by headers: HTTPHeaders, times: (request: Date, response: Date)) -> Self {
        var merged = self.headers
        var updates = headers.storable
        updates.filter { field in
            !["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"].contains {
                $0.isSameFieldName(as: field.name)
            }
        }
        // It was given its age by a cache that the 304 did not pass.
        merged["Age"] = nil
        merged.merge(updates)
        return StoredResponse(
            entry,
            status: status,
            headers: merged,
            body: body,
            requestTime: times.request,
            responseTime: times.response
        )
    }

    /// The server's time as it answered (RFC 9110 §6.6.1).
    private var date: Date {
        headers.values(for: "Date").first.flatMap { HTTPDate.date($0, now: responseTime) } ?? responseTime
    }
}

extension String {
    fileprivate var withoutWeakness: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
