/// Somebody who is marked with a tag.
public struct Tagging: Codable, Hashable, Sendable {
    /// The person's identifier.
    public var personId: UInt?
    /// The tag.
    public var tag: String

    /// Makes one; what is nil is not sent.
    public init(personId: UInt? = nil, tag: String) {
        self.personId = personId
        self.tag = tag
    }
}
