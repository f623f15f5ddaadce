import Foundation

/// Writes dates as servers do in their fields (RFC 9110 §5.6.7).
package struct HTTPDateFormat {
    private let format = DateFormatter()

    package init() {
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    }

    package func text(_ date: Date) -> String { format.string(from: date) }
}
