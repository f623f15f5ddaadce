/// Somebody whom the nation knows.
public struct Person: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The email.
    public var email: String?
    /// The full name.
    public var fullName: String?
    /// The username.
    public var username: String?
    /// The address of a picture.
    public var profileImageUrlSsl: String?

    /// Makes one; what is nil is not sent.
    public init(
        id: UInt? = nil,
        firstName: String? = nil,
        lastName: String? = nil,
        email: String? = nil,
        fullName: String? = nil,
        username: String? = nil,
        profileImageUrlSsl: String? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.fullName = fullName
        self.username = username
        self.profileImageUrlSsl = profileImageUrlSsl
    }
}
