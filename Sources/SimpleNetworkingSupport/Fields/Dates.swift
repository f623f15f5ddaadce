/// Reads the three forms of a date in a header field (RFC 9110 §5.6.7).
package enum HTTPDate {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - now: The reference for two-digit years, which are at most 50 years ahead of it.
    /// - Returns: The date; nil if the text isn't a date.
    package static func date(_ text: String, now: Date = Date()) -> Date? {
        let words = text.pieces(between: " ,-\t")
        switch words.count {
        case 6 where ["GMT", "UTC"].contains(words[5].uppercased()):
            return date(day: words[1], month: words[2], year: words[3], time: words[4], now)
        case 5: return date(day: words[2], month: words[1], year: words[4], time: words[3], now)
        default: return nil
        }
    }

    private static func date(day: Substring, month: Substring, year: Substring, time: Substring, _ now: Date) -> Date? {
        let clock = time.pieces(between: ":", keepsEmpty: true).map { number($0, digits: 2...2) ?? -1 }
        guard let day = number(day, digits: 1...2), let month = CivilCalendar.month(String(month)),
            var fullYear = number(year, digits: 2...4)
        else { return nil }
        if year.utf8.count == 2 {
            let thisYear = min(max(Int(saturating: 1970 + now.timeIntervalSince1970 / 31_556_952), 0), 9999)
            fullYear += thisYear / 100 * 100
            if fullYear > thisYear + 50 { fullYear -= 100 }
        }
        return CivilCalendar.seconds(year: fullYear, month: month, day: day, time: clock).map {
            Date(timeIntervalSince1970: $0)
        }
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        digits.contains(text.utf8.count) && String(text).isNumber ? Int(String(text)) : nil
    }
}

/// Reads and writes dates in JSON and in queries (RFC 3339 §5.6, the extended form of ISO 8601).
package enum InternetDate {
    /// Writes `2026-11-21T05:17:27Z`, or `2026-11-21T05:17:27.250Z` if the date has milliseconds.
    ///
    /// - Throws: `EncodingError` if the year doesn't have four digits.
    package static func text(_ date: Date, at codingPath: [any CodingKey]) throws -> String {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        guard (-62_167_219_200_000..<253_402_300_800_000).contains(rounded) else {
            let context = EncodingError.Context(
                codingPath: codingPath,
                debugDescription: "the year is not within 0 to 9999"
            )
            // The number, because describing such a date can end the process.
            throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
        }
        let (seconds, milliseconds) = Int64(rounded).divided(by: 1000)
        let (days, second) = seconds.divided(by: 86_400)
        let day = CivilCalendar.date(days: Int(days))
        var text = padded(day.year, to: 4) + "-" + padded(day.month, to: 2) + "-" + padded(day.day, to: 2) + "T"
        text += [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return text + (milliseconds == 0 ? "Z" : "." + padded(milliseconds, to: 3) + "Z")
    }

    private static func padded(_ number: some BinaryInteger, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
    }

    /// Reads `2026-11-21T05:17:27Z`, with any fraction of a second, and an offset instead of `Z`.
    ///
    /// The offset is `+01:00`, `+0100` or `+01`.
    package static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date($0) }
    }

    private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            "Tt ".utf8.contains(bytes[10]), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let seconds = CivilCalendar.seconds(year: year, month: month, day: day, time: [hour, minute, second])
        else { return nil }
        var end = 19
        var fraction = 0.0
        if bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ",") {
            let digits = bytes[(end + 1)...].prefix { (0x30...0x39).contains($0) }
            guard let value = Double("0." + String(decoding: digits, as: UTF8.self)), !digits.isEmpty else {
                return nil
            }
            fraction = value
            end = digits.endIndex
        }
        return offset(bytes[end...]).map { Date(timeIntervalSince1970: seconds - TimeInterval($0) + fraction) }
    }

    /// Returns the number of seconds east of UTC.
    private static func offset(_ zone: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let sign = zone.first else { return nil }
        if zone.count == 1 { return sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(zone.dropFirst())
        if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
        if digits.count == 2 { digits += "00".utf8 }
        guard digits.count == 4, let hours = number(digits[0..<2]), let minutes = number(digits[2..<4]), hours <= 23,
            minutes <= 59
        else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }
}

/// Counts seconds in the Gregorian calendar; Foundation's own calendar takes a hundred times as long.
package enum CivilCalendar {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Returns the number, from 1, of a month named by three letters.
    package static func month(_ name: String) -> Int? {
        months.firstIndex(of: name.lowercased()).map { $0 + 1 }
    }

    /// Returns the number of a month named by the first three bytes of a text.
    package static func month(of text: Substring) -> Int? {
        month(String(decoding: text.utf8.prefix(3), as: UTF8.self))
    }

    /// Returns the seconds from 1970 to a day and time in UTC; nil if there is no such date.
    ///
    /// The time is given as hours, minutes and seconds.
    package static func seconds(year: Int, month: Int, day: Int, time: [Int]) -> TimeInterval? {
        guard (1...12).contains(month), time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
            // A leap second.
            (0...60).contains(time[2])
        else { return nil }
        let start = days(year: year, month: month)
        let next = month == 12 ? days(year: year + 1, month: 1) : days(year: year, month: month + 1)
        guard (1...next - start).contains(day) else { return nil }
        // A 32-bit `Int` ends in 2038.
        return TimeInterval(start + day - 1) * 86_400 + TimeInterval(time[0] * 3600 + time[1] * 60 + time[2])
    }

    /// Returns the days from 1970 to the first of a month; years start in March, so that they end with a leap day.
    private static func days(year: Int, month: Int) -> Int {
        // Adds 400 years, or 146,097 days, because division rounds down only above zero.
        let year = (month <= 2 ? year - 1 : year) + 400
        let monthsSinceMarch = (month + 9) % 12
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * monthsSinceMarch + 2) / 5 - 865_565
    }

    /// Returns the date that is a number of days after 1970.
    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        // Counted from March of the year 0, within periods of 400 years.
        let (period, day) = (days + 719_468).divided(by: 146_097)
        let yearOfPeriod = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfPeriod + yearOfPeriod / 4 - yearOfPeriod / 100)
        let monthsSinceMarch = (5 * dayOfYear + 2) / 153
        let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
        let year = period * 400 + yearOfPeriod + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1)
    }
}

extension SignedInteger where Self: FixedWidthInteger {
    /// Returns the quotient, rounded down, and the remainder, which isn't negative.
    fileprivate func divided(by divisor: Self) -> (Self, Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension JSONEncoder.DateEncodingStrategy {
    /// Writes dates as ISO 8601 (RFC 3339 §5.6) in UTC, with milliseconds if they have any.
    ///
    /// Foundation's `.iso8601` drops the fractions.
    package static let preciseISO8601 = custom { date, encoder in
        let text = try InternetDate.text(date, at: encoder.codingPath)
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads dates as ISO 8601 (RFC 3339 §5.6), with or without fractions of a second, on every platform.
    ///
    /// Foundation's `.iso8601` rejects fractions on older systems.
    package static let tolerantISO8601 = custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = InternetDate.date(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no ISO 8601 date")
        }
        return date
    }
}
