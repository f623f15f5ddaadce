extension JSONDecoder {
    /// Makes the decoder that clients use unless told otherwise: dates are ISO 8601, with fractions of a second or without.
    public static var standard: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .tolerantISO8601
        return decoder
    }
}

extension JSONEncoder {
    /// Makes the encoder that clients use unless told otherwise: dates are ISO 8601 in UTC, such as `2026-11-21T05:17:27Z`.
    public static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}

extension JSONDecoder.DateDecodingStrategy {
    /// Reads dates as ISO 8601 (RFC 3339 §5.6), with fractions of a second or without, alike on every platform.
    ///
    /// Foundation's `.iso8601` refuses fractions on older systems.
    public static let tolerantISO8601 = custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = InternetDate.date(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no ISO 8601 date")
        }
        return date
    }
}
