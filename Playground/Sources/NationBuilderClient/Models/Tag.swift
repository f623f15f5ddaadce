/// A word that people are marked with.
public struct Tag: Codable, Hashable, Sendable {
    /// The name.
    public var name: String

    /// Makes one; what is nil is not sent.
    public init(name: String) {
        self.name = name
    }
}
