import SimpleNetworkingSupport

extension HTTPHeaders {
    /// Returns the seconds that a response asks the client to wait (RFC 9110 §10.2.3); nil if it doesn't say.
    ///
    /// `retry-after-ms`, which is more precise, takes precedence. A date is relative to the server's clock, or to `now`
    /// if the response has no `Date`. The first value that can be read applies.
    package func retryAfter(now: Date = Date()) -> TimeInterval? {
        let milliseconds = candidates(for: "retry-after-ms").lazy.compactMap(FieldDelay.number).first
        if let milliseconds { return Swift.min(milliseconds / 1000, FieldDelay.longest) }
        let now = serverTime(orElse: now)
        return candidates(for: "Retry-After").lazy.compactMap { FieldDelay.retryAfter($0, now: now) }.first
    }

    /// Returns the server's time when it sent the response, or else this device's time.
    ///
    /// The clocks may differ by hours. `Date` is the time when the response was created, and `Age` the seconds that
    /// it has spent in caches since then (RFC 9111 §5.1).
    package func serverTime(orElse now: Date = Date()) -> Date {
        let dates = candidates(for: "Date").lazy.compactMap { HTTPDate.date($0, now: now) }
        guard let date = dates.first else { return now }
        return date + (candidates(for: "Age").lazy.compactMap { FieldDelay.seconds($0) }.first ?? 0)
    }

    /// Returns a field's values, also one by one if an engine has joined them with commas, which dates contain, too.
    private func candidates(for name: String) -> [String] {
        values(for: name).flatMap { field in
            let pieces = field.pieces(between: ",").map(\.trimmed)
            let pairs = zip(pieces, pieces.dropFirst()).map { "\($0), \($1)" }
            return [field[...].trimmed] + pieces + pairs
        }
    }
}
