import SimpleNetworking

/// The user of an account, without any secret, as a list of accounts writes it to its file.
public struct SavedAccount: Codable, Hashable, Sendable {
    /// The user's identifier in the nation.
    public let id: UInt
    /// The user's name.
    public internal(set) var name: String
    /// The nation's name in its URL.
    public let slug: String
    /// Whether it is the selected account.
    public internal(set) var isSelected = false

    /// Names the user of an account.
    ///
    /// - Throws: ``NationError`` with `.invalidArgument` as long as the user is not known.
    init(_ account: NationAccount) throws {
        guard let id = account.user?.id else {
            throw NationError(.invalidArgument, "No user has signed in to the account.")
        }
        self.id = id
        name = account.name ?? ""
        slug = account.client.slug
    }

    /// Returns whether it is the same user of the same nation.
    func isSame(as other: SavedAccount) -> Bool {
        id == other.id && slug.lowercased() == other.slug.lowercased()
    }
}
