/// A site of the nation.
public struct Site: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String

    /// Makes one; what is nil is not sent.
    public init(id: UInt, name: String, slug: String) {
        self.id = id
        self.name = name
        self.slug = slug
    }
}
