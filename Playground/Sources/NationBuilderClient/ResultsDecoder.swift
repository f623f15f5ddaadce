import SimpleNetworking

/// Decodes the value at a response's results key, such as `results` or `person`.
struct ResultsDecoder: ResponseDecoder {
    /// The tag under which a request stores its key.
    static let tag = "results key"

    /// nil for a response that has no results; empty where another decoder finds them.
    let key: String?
    /// Whether the service has stored the content, so that unreadable results are no failure.
    let isStored: Bool

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        do {
            return try read(type, from: data)
        } catch {
            guard isStored, let readable = type as? any UnreadableValue.Type,
                let value = readable.init(unreadable: error) as? Value
            else { throw error }
            return value
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let key, !key.isEmpty else { return try decoder.decode(type, from: data) }
        let content = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        guard let results = (content as? [String: Any])?[key] else { throw NationError(missing: key) }
        let part = try JSONSerialization.data(withJSONObject: results, options: .fragmentsAllowed)
        return try decoder.decode(type, from: part)
    }
}

extension JSONEncoder {
    /// Writes names as NationBuilder does.
    static var nation: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}
