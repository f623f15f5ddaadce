/// The server's answer to an event that was created or changed.
struct SavedEvent: Decodable, Sendable {
    let id: String

    private enum CodingKeys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Identifier.self, forKey: .id).text
    }
}
