import SimpleNetworking

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
