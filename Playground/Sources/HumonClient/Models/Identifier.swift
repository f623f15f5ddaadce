/// An identifier that the server writes as a number and the app keeps as text.
struct Identifier: Codable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try (try? container.decode(Int.self)).map(String.init) ?? container.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number = Int(text) { try container.encode(number) } else { try container.encode(text) }
    }
}
