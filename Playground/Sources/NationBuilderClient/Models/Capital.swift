/// Political capital that a person has won or spent.
public struct Capital: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The amount in cents.
    public var amountInCents: Int
    /// The content; of an object its JSON.
    public var content: String?

    /// Creates one; nil values are not sent.
    public init(id: UInt? = nil, amountInCents: Int, content: String? = nil) {
        self.id = id
        self.amountInCents = amountInCents
        self.content = content
    }

    /// Decodes one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(UInt.self, forKey: .id)
        amountInCents = try container.decode(Int.self, forKey: .amountInCents)
        content = try container.decodeText(forKey: .content)
    }
}
