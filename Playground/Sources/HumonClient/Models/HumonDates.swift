import Foundation

/// Dates as Humon writes them, with milliseconds: `2013-08-12T19:30:00.000Z`.
///
/// The strategies of Foundation's coders have no milliseconds on older systems.
extension DateFormatter {
    static let humon: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"
        return formatter
    }()
}

extension JSONEncoder {
    static var humon: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .formatted(.humon)
        return encoder
    }
}

extension JSONDecoder {
    static var humon: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(.humon)
        return decoder
    }
}
