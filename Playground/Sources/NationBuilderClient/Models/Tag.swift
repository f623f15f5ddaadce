/// A tag of people.
public struct Tag: Codable, Hashable, Sendable {
    /// The name.
    public var name: String

    /// Creates one; nil values are not sent.
    public init(name: String) {
        self.name = name
    }
}

/// A person with a tag.
public struct Tagging: Codable, Hashable, Sendable {
    /// The person's identifier.
    public var personId: UInt?
    /// The tag.
    public var tag: String

    /// Creates one; nil values are not sent.
    public init(personId: UInt? = nil, tag: String) {
        self.personId = personId
        self.tag = tag
    }
}
