import Foundation

extension Event: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, address, owner, attendees
        case latitude = "lat"
        case longitude = "lon"
        case startedAt = "started_at"
        case endedAt = "ended_at"
    }

    /// Reads an event; null means that there is none of it.
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

    /// Writes what the server takes: all but the owner and the attendees, which it knows itself.
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
