import SimpleNetworkingSupport

/// A `Set-Cookie` field, read according to RFC 6265bis §5.6; the last of repeated attributes applies.
package struct SetCookie {
    /// The name; empty if the field has only a value.
    package let name: String
    package let value: String
    /// The domain in lowercase; nil if it is missing or empty.
    package private(set) var domain: String?
    /// The path; nil for the default path.
    package private(set) var path: String?
    /// Whether there is a `Path`, even if it means the default path.
    private var namesPath = false
    /// When the cookie expires, at most 400 days ahead; nil if the field doesn't specify it.
    package private(set) var expires: Date?
    package private(set) var isSecure = false

    /// Reads the value of one field, commas included; nil if it contains no cookie.
    package init?(_ text: String, now: Date) {
        guard !text.contains(anyOf: Self.controls) else { return nil }
        let parts = text.pieces(between: ";", keepsEmpty: true)
        let pair = Self.pair(parts[0])
        name = pair.name ?? ""
        value = pair.value
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= 4096 else { return nil }
        var maxAge: Date?
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part)
            guard value.utf8.count <= 1024 else { continue }
            switch (name ?? value).lowercased() {
            case "domain":
                let wanted = name == nil ? "" : value.lowercased()
                let domain = wanted.utf8.first == UInt8(ascii: ".") ? String(wanted.dropFirst()) : wanted
                self.domain = domain.isEmpty ? nil : domain
            case "path":
                namesPath = true
                path = name != nil && value.utf8.first == UInt8(ascii: "/") ? value : nil
            case "expires": expires = CookieDate.date(value).map { min($0, now + Self.longest) } ?? expires
            case "max-age": maxAge = Self.end(after: value, now: now) ?? maxAge
            case "secure": isSecure = true
            default: break
            }
        }
        expires = maxAge ?? expires
    }

    /// Returns whether a cookie with this path meets the requirements of its name's prefix (RFC 6265bis §4.1.3).
    package func holdsItsPrefix(path: String, isHostOnly: Bool) -> Bool {
        let prefixed = (name.isEmpty ? value : name).lowercased().utf8
        if prefixed.starts(with: "__secure-".utf8) { return !name.isEmpty && isSecure }
        guard prefixed.starts(with: "__host-".utf8) else { return true }
        return !name.isEmpty && isSecure && isHostOnly && namesPath && path == "/"
    }

    /// Splits at the first `=`; without one, everything is the value, and there is no name.
    private static func pair(_ part: Substring) -> (name: String?, value: String) {
        guard case (let name, let value?) = part.parts(at: "=") else { return (nil, part.trimmed) }
        return (name.trimmed, value.trimmed)
    }

    private static let controls = ByteSet.controls.subtracting("\t")

    /// 400 days (RFC 6265bis §5.5).
    private static let longest: TimeInterval = 400 * 86_400

    /// Reads `Max-Age`: any number of digits, with or without a minus.
    private static func end(after value: String, now: Date) -> Date? {
        let isNegative = value.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? String(value.dropFirst()) : value
        guard digits.isNumber else { return nil }
        let seconds = TimeInterval(digits) ?? longest
        return isNegative || seconds <= 0 ? .distantPast : now + min(seconds, longest)
    }
}

/// Reads dates as leniently as servers write them into cookies (RFC 6265bis §5.1.1).
package enum CookieDate {
    /// Finds a date in any text; nil if there is none, or it doesn't exist in the calendar.
    package static func date(_ text: String) -> Date? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.pieces(between: delimiters) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = CivilCalendar.month(of: token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        // HTTP dates may have a leap second; cookie dates may not.
        guard let time, time[2] <= 59, let day, let month, let year, year >= 1601,
            let seconds = CivilCalendar.seconds(year: year, month: month, day: day, time: time)
        else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    private static let delimiters = ByteSet("\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~")

    /// Reads hours, minutes and seconds, and ignores everything after the last digit.
    private static func clock(_ token: Substring) -> [Int]? {
        guard case (let hours, let afterHours?) = token.parts(at: ":"), String(hours).isNumber,
            case (let minutes, let seconds?) = afterHours.parts(at: ":"), String(minutes).isNumber
        else { return nil }
        let numbers = [hours, minutes, seconds].compactMap { number($0, digits: 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    /// Reads the digits at the start of a token.
    @inline(never)  // Inlined 3 times, it took 4 KB.
    private static func number(_ token: Substring, digits: ClosedRange<Int>) -> Int? {
        let found = token.utf8.prefix { ByteSet.digits.contains($0) }
        return digits.contains(found.count) ? Int(Substring(found)) : nil
    }
}
