/// Somebody who makes events, or comes to them.
public struct HumonUser: Sendable, Hashable, Decodable {
    /// The user's identifier.
    public let id: String

    /// Makes a user.
    public init(id: String) { self.id = id }

    private enum CodingKeys: CodingKey { case id }

    /// Reads a user, whose identifier is a number.
    public init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Identifier.self, forKey: .id).text
    }
}
