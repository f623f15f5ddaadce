/// Reads the three forms of a date in a header field (RFC 9110 §5.6.7).
enum HTTPDate {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - now: What two digits of a year are near to: at most 50 years ahead.
    /// - Returns: The date, or nil if the text is none.
    static func date(_ text: String, now: Date = Date()) -> Date? {
        let words = text.split { " ,-\t".contains($0) }
        switch words.count {
        case 6 where ["GMT", "UTC"].contains(words[5].uppercased()):
            return date(day: words[1], month: words[2], year: words[3], time: words[4], now: now)
        case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3], now: now)
        default: return nil
        }
    }

    /// Reads the same three forms and nothing that only resembles them, such as `UTC` in place of `GMT`.
    ///
    /// To be used where a date that is not quite one shall count as none (RFC 9111 §5.3).
    static func strictDate(_ text: String, now: Date = Date()) -> Date? {
        // “a” for each letter behind the weekday, 0 for each digit.
        let shape = text.drop { $0.isLetter }.unicodeScalars.map { scalar in
            switch scalar {
            case "0"..."9": "0"
            case "A"..."Z", "a"..."z": "a"
            default: String(scalar)
            }
        }
        switch shape.joined() {
        case ", 00 aaa 0000 00:00:00 aaa", ", 00-aaa-00 00:00:00 aaa":
            return text.suffix(3).isSameFieldName(as: "GMT") ? date(text, now: now) : nil
        case " aaa 00 00:00:00 0000", " aaa  0 00:00:00 0000": return date(text, now: now)
        default: return nil
        }
    }

    private static func date(
        day: Substring,
        month: Substring,
        year yearText: Substring,
        time: Substring,
        now: Date
    ) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) ?? -1 }
        guard let day = number(day, digits: 1...2), let month = months.firstIndex(of: month.lowercased()),
            var year = number(yearText, digits: 2...4), clock.count == 3,
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        if yearText.utf8.count == 2 {
            let thisYear = self.year(of: now)
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        guard let days = CivilCalendar.days(year: year, month: month + 1, day: day) else { return nil }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        return Date(timeIntervalSince1970: TimeInterval(days) * 86_400 + TimeInterval(seconds))
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func year(of date: Date) -> Int {
        min(max(Int(saturating: 1970 + date.timeIntervalSince1970 / 31_556_952), 0), 9999)
    }
}
