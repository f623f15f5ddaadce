/// Decodes a response's content: `JSONDecoder`, or a decoder of your own.
///
/// It is called off the callback queue, from several threads at once.
public protocol ResponseDecoder {
    /// Makes a value from content.
    ///
    /// - Throws: Any error about the content; the request then ends with `.decoding`. A `DecodingError` adds the coding
    ///   path to it.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

/// The encoder and the decoder of a client.
///
/// Foundation's may be used from several threads at once while they don't change, but are Sendable only from iOS 16 and
/// macOS 13 on; hence the unchecked conformance.
struct Coders: @unchecked Sendable {
    var encoder = JSONEncoder.standard
    var decoder: any ResponseDecoder = JSONDecoder.standard

    /// Those of a new configuration; never changed.
    static let standard = Coders()
}

extension JSONDecoder {
    /// Creates the decoder that clients use by default: dates are ISO 8601, with or without fractions of a second.
    public static var standard: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .tolerantISO8601
        return decoder
    }
}

extension JSONEncoder {
    /// Creates the encoder that clients use by default: dates are ISO 8601 in UTC, such as `2026-11-21T05:17:27Z`.
    public static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
