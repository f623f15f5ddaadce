import SimpleNetworkingFeatureSupport

/// A digest that identifies the account for which a request was sent, to be stored with its content.
struct AccountDigest: Sendable, Equatable, Codable {
    private let salt: [UInt8]
    private let digest: String

    init(of owner: RequestOwnerIdentity) {
        salt = Digest.randomSalt()
        digest = owner.digest(salt: salt).text
    }

    /// Returns whether a request was sent for the same account.
    func matches(_ owner: RequestOwnerIdentity) -> Bool { owner.digest(salt: salt).text == digest }
}
