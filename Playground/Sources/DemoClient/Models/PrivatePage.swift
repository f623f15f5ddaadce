/// Holds what only those see who are signed in.
public struct PrivatePage: Decodable, Sendable, Hashable {
    /// What nobody else is to know.
    public let secret: String
}
