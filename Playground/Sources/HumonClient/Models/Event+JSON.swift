import Foundation
import SimpleNetworking

extension Event: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, address, owner, attendees
        case latitude = "lat"
        case longitude = "lon"
        case startedAt = "started_at"
        case endedAt = "ended_at"
    }

    /// Decodes an event; null means no value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            latitude: try container.decode(Double.self, forKey: .latitude),
            longitude: try container.decode(Double.self, forKey: .longitude),
            address: try container.decodeIfPresent(String.self, forKey: .address),
            startedAt: try container.decode(Date.self, forKey: .startedAt),
            endedAt: try container.decodeIfPresent(Date.self, forKey: .endedAt),
            id: try container.decodeIfPresent(Identifier.self, forKey: .id)?.text,
            owner: try container.decodeIfPresent(HumonUser.self, forKey: .owner),
            attendees: try container.decodeIfPresent([HumonUser].self, forKey: .attendees)
        )
    }

    /// Encodes what the server accepts: all but the owner and the attendees.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id.map { Identifier($0) }, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(address, forKey: .address)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
        try container.encode(startedAt, forKey: .startedAt)
        try container.encodeIfPresent(endedAt, forKey: .endedAt)
    }
}

/// An event as it is sent: in one edition, with the device that it comes from.
struct EventContent: Encodable, Sendable {
    let event: Event
    let deviceToken: Secret?

    private enum CodingKeys: CodingKey { case user }

    func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        guard let deviceToken else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(["device_token": deviceToken], forKey: .user)
    }
}

/// The server's response to an event that was created or changed.
struct SavedEvent: Decodable, Sendable {
    let id: String

    private enum CodingKeys: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Identifier.self, forKey: .id).text
    }
}
