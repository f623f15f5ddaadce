import SimpleNetworking

/// Says whose an account is, without any secret; what a list of accounts writes to its file.
public struct SavedAccount: Codable, Hashable, Sendable {
    /// The user's identifier in the nation.
    public let id: UInt
    /// What the user is called.
    public internal(set) var name: String
    /// The nation's name in its address.
    public let slug: String
    /// Whether it is the account to go on with.
    public internal(set) var isSelected = false

    /// Names the user of an account.
    ///
    /// - Throws: ``NationError`` with `.invalidArgument` as long as the user is not known.
    init(_ account: NationAccount) throws {
        guard let id = account.user?.id else {
            throw NationError(.invalidArgument, "Nobody is known to have signed in to the account.")
        }
        self.id = id
        name = account.name ?? ""
        slug = account.client.slug
    }

    /// Tells whether it is the same user of the same nation.
    func isSame(as other: SavedAccount) -> Bool {
        id == other.id && slug.lowercased() == other.slug.lowercased()
    }
}
