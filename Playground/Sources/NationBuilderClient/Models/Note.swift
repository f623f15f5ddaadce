/// A note on somebody.
public struct Note: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The content.
    public var content: String

    /// Makes one; what is nil is not sent.
    public init(id: UInt? = nil, content: String) {
        self.id = id
        self.content = content
    }
}
