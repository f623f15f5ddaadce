import SimpleNetworking

/// Reads a member that the service sends as a text, a number or an object, as one text.
///
/// A number and a truth value are their own text, an object or a list is its JSON, and null is nil.
struct JSONText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
        let part = try Part(from: decoder)
        switch part {
        case .null: text = nil
        case .list, .object: text = String(decoding: try Self.encoder.encode(part), as: UTF8.self)
        default: text = part.text
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private enum Part: Codable {
        case null
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case text(String)
        case list([Part])
        case object([String: Part])

        /// The value, if it is neither an object nor a list.
        var text: String? {
            switch self {
            case .flag(let flag): String(flag)
            case .integer(let integer): String(integer)
            case .number(let number): String(number)
            case .text(let text): text
            case .null, .list, .object: nil
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let integer = try? container.decode(Int.self) {
                self = .integer(integer)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Part].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Part].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .flag(let flag): try container.encode(flag)
            case .integer(let integer): try container.encode(integer)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads a member of any kind as a text; nil if it is null or missing.
    func decodeText(forKey key: Key) throws -> String? { try decodeIfPresent(JSONText.self, forKey: key)?.text }
}
