/// An event as Humon's app sends it.
struct HumonEventContent: Codable, Sendable {
    let name: String?
    let address: String?
    let lat: Double
    let lon: Double
    let started_at: String?
    let ended_at: String?

    /// What Rails' validations say.
    var errors: [String] {
        (name?.isEmpty ?? true ? ["Name can't be blank"] : [])
            + (started_at == nil ? ["Started at can't be blank"] : [])
    }
}

/// An event as Humon's server sends it, absent values as null.
struct HumonEventResponse: Encodable {
    let event: HumonRecords.Event

    private enum CodingKeys: CodingKey { case id, name, address, lat, lon, started_at, ended_at, owner }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event.id, forKey: .id)
        try container.encode(event.content.name, forKey: .name)
        try container.encode(event.content.address, forKey: .address)
        try container.encode(event.content.lat, forKey: .lat)
        try container.encode(event.content.lon, forKey: .lon)
        try container.encode(event.content.started_at, forKey: .started_at)
        try container.encode(event.content.ended_at, forKey: .ended_at)
        try container.encode(["id": event.owner], forKey: .owner)
    }
}
