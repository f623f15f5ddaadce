import SimpleNetworking

/// A user who makes events, or comes to them.
public struct HumonUser: Sendable, Hashable, Decodable {
    /// The user's identifier.
    public let id: String

    /// Makes a user.
    public init(id: String) { self.id = id }

    private enum CodingKeys: CodingKey { case id }

    /// Decodes a user, whose identifier is a number.
    public init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: CodingKeys.self).decode(Identifier.self, forKey: .id).text
    }
}

/// The server's response to a new user: an identifier and a token, or the token of a device, which is both.
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

    /// Decodes the response of either edition's server.
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
