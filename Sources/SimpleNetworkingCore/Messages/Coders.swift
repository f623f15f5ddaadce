import SimpleNetworkingSupport

/// Decodes a response's content.
///
/// `JSONDecoder` conforms to this protocol, and your own decoders can conform to it.
///
/// The client calls the decoder outside the callback queue, and from several threads at once.
public protocol ResponseDecoder {
    /// Decodes a value from content, which may be empty.
    ///
    /// The client doesn't call this method for `Data` or `String`, or for an optional type if the content is empty.
    ///
    /// - Throws: Any error. The error ends the request with `.decoding`; a `DecodingError` also provides the coding
    ///   path.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ResponseDecoder {}

extension ResponseDecoder {
    /// Decodes a value, and rejects a trailing comma in JSON, which `JSONDecoder` accepts on some platforms.
    func decodeStrictly<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let json = self as? JSONDecoder, json.isStrict, let index = JSONSyntax.trailingComma(in: data) {
            let problem = "the content is not valid JSON: there is a comma before a closing bracket, at byte \(index)"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: problem))
        }
        return try decode(type, from: data)
    }

    /// Decodes a value, and notes its secrets in the memory of a client.
    package func decodeStrictly<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        noting memory: SecretMemory?
    ) throws -> Value { try Secret.$memory.withValue(memory) { try decodeStrictly(type, from: data) } }
}

extension JSONDecoder {
    /// Whether the content must be JSON rather than JSON5, which allows trailing commas.
    fileprivate var isStrict: Bool { !allowsJSON5 }
}

/// Holds the encoder and the decoder of a client.
///
/// The conformance is unchecked because Foundation's coders are Sendable only from iOS 16 and macOS 13 on. The coders
/// can be used from several threads at once as long as they don't change.
package struct Coders: @unchecked Sendable {
    var encoder = JSONEncoder.standard
    package var decoder: any ResponseDecoder = JSONDecoder.standard

    /// The coders of a new configuration, which never change.
    static let standard = Coders()

    init() {}

    package init(decoder: any ResponseDecoder) { self.decoder = decoder }
}

extension JSONDecoder {
    /// A new decoder with the default settings.
    ///
    /// Dates are in ISO 8601 format, with or without fractional seconds, and with any offset from UTC.
    public static var standard: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .tolerantISO8601
        return decoder
    }
}

extension JSONEncoder {
    /// A new encoder with the default settings.
    ///
    /// Dates are in ISO 8601 format in UTC, such as `2026-11-21T05:17:27Z`, with milliseconds if they have any, such as
    /// `2026-11-21T05:17:27.250Z`. A date outside the years 0 to 9999 can't be encoded.
    public static var standard: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .preciseISO8601
        return encoder
    }
}
