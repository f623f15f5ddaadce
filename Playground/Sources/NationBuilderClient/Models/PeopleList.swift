/// A list of people.
public struct PeopleList: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String?
    /// The count.
    public var count: Int?

    /// Makes one; what is nil is not sent.
    public init(id: UInt, name: String, slug: String? = nil, count: Int? = nil) {
        self.id = id
        self.name = name
        self.slug = slug
        self.count = count
    }
}
