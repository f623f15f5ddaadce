/// Reads the delays and times that servers write into header fields.
package enum FieldDelay {
    /// Reads a `Retry-After`: a number of seconds, which may have a fraction, or a date (RFC 9110 §10.2.3).
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - now: The server's time, which dates are relative to.
    /// - Returns: The seconds, which are 0 for a past date; nil if the text is neither a number nor a date.
    package static func retryAfter(_ text: String, now: Date) -> TimeInterval? {
        number(text).map { min($0, longest) }
            ?? HTTPDate.date(text, now: now).map { seconds(to: $0, from: now) }
    }

    /// Reads a number, with or without a fraction, but without a sign or an exponent.
    package static func number(_ text: String) -> TimeInterval? {
        let (whole, fraction) = text.parts(at: ".")
        guard String(whole).isNumber, fraction.map({ String($0).isNumber }) ?? true else { return nil }
        return Double(text)
    }

    /// Reads a whole number of seconds, at most `longest` (RFC 9111 §1.2.2).
    package static func seconds(_ text: String) -> TimeInterval? {
        text.isNumber ? min(TimeInterval(text) ?? longest, longest) : nil
    }

    /// Returns the seconds from one time to another, which are 0 if that is in the past.
    package static func seconds(to date: Date, from now: Date) -> TimeInterval {
        min(max(date.timeIntervalSince(now), 0), longest)
    }

    /// 68 years, which is effectively forever.
    package static let longest: TimeInterval = 2_147_483_648
}
