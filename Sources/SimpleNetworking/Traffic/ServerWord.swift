extension ServerWord {
    /// Reads the statement from a response; nil if the response contains none.
    ///
    /// `Retry-After` takes precedence (RFC 9110 §10.2.3), followed by the fields of the IETF's draft, and then by the
    /// fields that most servers send.
    init?(status: Int, _ headers: HTTPHeaders) {
        let date = headers["Date"].flatMap { HTTPDate.date($0) } ?? Date()
        let isRefused = [429, 503].contains(status)
        if isRefused, let seconds = Self.seconds(headers.values(for: "Retry-After").first, since: date) {
            self = .wait(seconds)
            return
        }
        let word = RateLimitFields(headers)?.word ?? Self.customary(headers, since: date)
        switch word {
        case .remaining(_, let seconds) where status == 429: self = .wait(seconds)
        case let word?: self = word
        case nil where status == 429: self = .wait(1)
        case nil: return nil
        }
    }

    /// Reads `X-RateLimit-Remaining` and `X-RateLimit-Reset`, which no standard defines.
    private static func customary(_ headers: HTTPHeaders, since date: Date) -> ServerWord? {
        guard let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let seconds = seconds(headers["X-RateLimit-Reset"], since: date)
        else { return nil }
        return .remaining(remaining, within: seconds)
    }

    /// Reads a delay in seconds, a time in seconds or milliseconds since 1970, or a date; past times are 0.
    private static func seconds(_ field: String?, since date: Date) -> TimeInterval? {
        guard let text = field?[...].trimmed else { return nil }
        guard let number = Double(text), number.isFinite, number >= 0 else {
            return HTTPDate.date(text, now: date).map { max($0.timeIntervalSince(date), 0) }
        }
        switch number {
        // Times since 2001, in milliseconds and in seconds.
        case 978_307_200_000...: return max(number / 1000 - date.timeIntervalSince1970, 0)
        case 978_307_200...: return max(number - date.timeIntervalSince1970, 0)
        default: return number
        }
    }
}
