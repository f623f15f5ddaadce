import SimpleNetworking

/// What the server gives to whoever signs in.
struct NewToken: Decodable, Sendable {
    let token: Secret
}
