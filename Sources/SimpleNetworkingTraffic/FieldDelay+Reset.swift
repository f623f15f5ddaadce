import SimpleNetworkingFeatureSupport

extension FieldDelay {
    /// Reads the time when a rate limit is reset, for which there is no standard.
    ///
    /// It is a number of seconds, a duration such as `6m0s`, a time in seconds or milliseconds since 1970, or a date.
    ///
    /// - Returns: The seconds, which are 0 for a past time; nil if the text is none of these.
    static func reset(_ text: String, now: Date) -> TimeInterval? {
        guard let number = number(text) else {
            let date = HTTPDate.date(text, now: now) ?? InternetDate.date(text)
            return date.map { seconds(to: $0, from: now) } ?? duration(text)
        }
        switch number {
        // Times since 2001, in milliseconds and in seconds.
        case 978_307_200_000...: return seconds(to: Date(timeIntervalSince1970: number / 1000), from: now)
        case 978_307_200...: return seconds(to: Date(timeIntervalSince1970: number), from: now)
        default: return number
        }
    }

    private static let units: [String: TimeInterval] = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86_400,
    ]

    /// Reads a duration such as `1s`, `20ms` or `1h2m3.5s`, as the language Go writes it.
    private static func duration(_ text: String) -> TimeInterval? {
        var rest = text[...]
        var sum: TimeInterval = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            let unit = rest.dropFirst(digits.count).prefix(while: \.isLetter)
            guard let count = number(String(digits)), let factor = units[String(unit)] else { return nil }
            sum += count * factor
            rest = rest[unit.endIndex...]
        }
        return text.isEmpty ? nil : min(sum, longest)
    }
}
