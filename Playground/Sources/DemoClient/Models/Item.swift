/// One of the things on the server's list.
public struct Item: Decodable, Sendable, Hashable {
    /// The item's number.
    public let id: Int
    /// What the item is called.
    public let title: String
}
