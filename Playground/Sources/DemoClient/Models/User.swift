/// Somebody whom the server knows.
public struct User: Decodable, Sendable, Hashable {
    /// The user's number.
    public let id: Int
    /// What the user is called.
    public let name: String
}
