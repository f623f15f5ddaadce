/// A site of the nation.
public struct Site: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String

    /// Creates one; nil values are not sent.
    public init(id: UInt, name: String, slug: String) {
        self.id = id
        self.name = name
        self.slug = slug
    }
}
