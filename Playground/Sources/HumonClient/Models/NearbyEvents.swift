/// The server's response to a search: events, or a message that there are none.
public struct NearbyEvents: Decodable, Sendable {
    /// The events, without those that can't be decoded.
    public let events: [Event]
    /// The server's message instead of events, if there is one.
    public let message: String?

    private enum CodingKeys: CodingKey { case message }

    /// An element of the list, which may be anything.
    private struct Element: Decodable {
        let event: Event?

        init(from decoder: any Decoder) { event = try? Event(from: decoder) }
    }

    /// Reads a list or a message.
    public init(from decoder: any Decoder) throws {
        if let elements = try? decoder.singleValueContainer().decode([Element].self) {
            (events, message) = (elements.compactMap(\.event), nil)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            (events, message) = ([], try container.decode(String.self, forKey: .message))
        }
    }
}
