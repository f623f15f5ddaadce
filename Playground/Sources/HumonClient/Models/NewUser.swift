import SimpleNetworking

/// What a server gives to a user it has created: an identifier and a token, or the token of a device, which is both.
public struct NewUser: Sendable, Decodable {
    /// The user's identifier.
    public let id: String
    /// What requests are signed with.
    public let token: Secret

    private enum CodingKeys: String, CodingKey {
        case id
        case token = "auth_token"
        case deviceToken = "device_token"
    }

    /// Reads the answer of either edition's server.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let deviceToken = try container.decodeIfPresent(String.self, forKey: .deviceToken) {
            (id, token) = (deviceToken, Secret(deviceToken))
        } else {
            token = try container.decode(Secret.self, forKey: .token)
            id = try container.decode(Identifier.self, forKey: .id).text
        }
    }
}
