import Foundation
import SimpleNetworkingSupport

@testable import SimpleNetworking
@testable import SimpleNetworkingCore

/// What browsers make of media types, by the web platform's own tests.
enum MediaTypeCorpora {
    static let types = Corpus(name: "Media types", files: ["media-types/mime-types.json"], count: 74) { data in
        try [Line](corpus: data[0]).compactMap(\.row).map { row in
            let parts = MediaTypeParts(row.input)
            let text = parts.isValid ? text(of: parts) : nil
            let encoding = encoding(of: MediaType(row.input))
            let isMet = text == row.output && (!row.isAboutEncoding || encoding == row.encoding)
            return .init(id: row.input, failure: isMet ? nil : "is \(text ?? "invalid"), \(encoding ?? "no encoding")")
        }
    }

    static let fields = Corpus(
        name: "Content-Type fields",
        files: ["media-types/wpt-content-types.json"],
        count: 16
    ) { data in
        try [Field](corpus: data[0]).map { row in
            let types = [row.input, [row.input.joined(separator: ", ")]].map { values in
                HTTPHeaders(fields: values.map { .init("Content-Type", $0) }).contentType
            }
            let isMet = types.allSatisfy { $0?.essence == row.essence && $0.flatMap(encoding) == row.encoding }
            return .init(id: "\(row.input)", failure: isMet ? nil : "is \(types)")
        }
    }

    private static func encoding(of type: MediaType) -> String? {
        type.parameter("charset").flatMap { TextEncoding(label: $0)?.name }
    }

    /// Writes a media type as the standard does (WHATWG MIME Sniffing §4.5).
    private static func text(of parts: MediaTypeParts) -> String {
        parts.parameters.reduce(parts.essence) { text, parameter in
            let (name, value) = parameter
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
            return text + ";" + name + "=" + (value.isToken ? value : "\"\(escaped)\"")
        }
    }
}

private struct Field: Decodable {
    let input: [String]
    let encoding: String?
    let essence: String
}

private struct Row: Decodable {
    let input: String
    let output: String?
    let encoding: String?
    /// Whether the row says what encoding it means.
    let isAboutEncoding: Bool

    private enum Key: CodingKey { case input, output, encoding }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        input = try container.decode(String.self, forKey: .input)
        output = try container.decodeIfPresent(String.self, forKey: .output)
        encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
        isAboutEncoding = container.contains(.encoding)
    }
}

/// Headings stand between the rows.
private struct Line: Decodable {
    let row: Row?

    init(from decoder: any Decoder) throws {
        row = (try? decoder.singleValueContainer().decode(String.self)) == nil ? try Row(from: decoder) : nil
    }
}
