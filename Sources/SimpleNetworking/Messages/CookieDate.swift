/// Reads dates as leniently as servers write them into cookies (RFC 6265 §5.1.1).
enum CookieDate {
    static func date(_ text: String) -> Date? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, token.count <= 2, let found = Int(token) {
                day = found
            } else if month == nil, let found = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = found + 1
            } else if year == nil, token.count == 2 || token.count == 4, let found = Int(token) {
                year = token.count == 4 ? found : found + (found >= 70 ? 1900 : 2000)
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601 else { return nil }
        var components = DateComponents()
        (components.year, components.month, components.day) = (year, month, day)
        (components.hour, components.minute, components.second) = (time[0], time[1], time[2])
        components.timeZone = TimeZone(secondsFromGMT: 0)
        return Calendar(identifier: .gregorian).date(from: components)
    }

    private static func clock(_ token: Substring) -> [Int]? {
        let numbers = token.split(separator: ":").map { Int($0) ?? -1 }
        guard numbers.count == 3, (0...23).contains(numbers[0]), (0...59).contains(numbers[1]),
            (0...60).contains(numbers[2])
        else { return nil }
        return numbers
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
