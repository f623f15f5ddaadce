/// A note on a person.
public struct Note: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The content.
    public var content: String

    /// Creates one; nil values are not sent.
    public init(id: UInt? = nil, content: String) {
        self.id = id
        self.content = content
    }
}
