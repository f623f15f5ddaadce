/// A survey.
public struct Survey: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String?

    /// Makes one; what is nil is not sent.
    public init(id: UInt? = nil, name: String, slug: String? = nil) {
        self.id = id
        self.name = name
        self.slug = slug
    }
}
