/// Reads dates as they stand in JSON (RFC 3339 §5.6, ISO 8601's extended form).
enum InternetDate {
    /// Reads `2026-11-21T05:17:27Z`, with any fraction of a second, and with an offset such as `+01:00` instead of `Z`.
    ///
    /// - Returns: The date, or nil if the text is none.
    static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { date($0) }
    }

    private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            "Tt ".utf8.contains(bytes[10]), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let days = CivilCalendar.days(year: year, month: month, day: day),
            hour <= 23, minute <= 59, second <= 60
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
        guard let offset = offset(bytes[end...]) else { return nil }
        let seconds = hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: TimeInterval(days) * 86_400 + TimeInterval(seconds) + fraction)
    }

    /// Seconds east of UTC.
    private static func offset(_ zone: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let sign = zone.first else { return nil }
        if zone.count == 1 { return sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(zone.dropFirst())
        if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
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
