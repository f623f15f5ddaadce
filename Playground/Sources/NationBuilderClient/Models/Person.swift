/// A person whom the nation lists.
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
    /// The URL of a picture.
    public var profileImageUrlSsl: String?

    /// Creates one; nil values are not sent.
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

/// A list of people.
public struct PeopleList: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String?
    /// The count.
    public var count: Int?

    /// Creates one; nil values are not sent.
    public init(id: UInt, name: String, slug: String? = nil, count: Int? = nil) {
        self.id = id
        self.name = name
        self.slug = slug
        self.count = count
    }
}
