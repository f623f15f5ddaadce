/// Counts the days of the Gregorian calendar; Foundation's own calendar takes a hundred times as long.
enum CivilCalendar {
    /// Days from 1970 to the first of a month; years are counted from March, so that a leap day is a year's last.
    static func days(year: Int, month: Int) -> Int {
        // 400 years, 146,097 days, more: division rounds down only above zero.
        let year = (month <= 2 ? year - 1 : year) + 400
        let monthsSinceMarch = (month + 9) % 12
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * monthsSinceMarch + 2) / 5 - 865_565
    }

    /// Days from 1970 to a day, or nil if the month has no such day.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month) else { return nil }
        let start = days(year: year, month: month)
        let next = month == 12 ? days(year: year + 1, month: 1) : days(year: year, month: month + 1)
        return day >= 1 && day <= next - start ? start + day - 1 : nil
    }
}
