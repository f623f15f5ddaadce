/// What the server sends: about 200 bytes of JSON.
struct Item: Codable, Sendable {
    let id: Int
    let name: String
    let email: String
    let isActive: Bool
    let score: Double
    let tags: [String]
    let address: Address

    /// An object in the object, as real responses have.
    struct Address: Codable, Sendable {
        let street: String
        let city: String
    }
}
