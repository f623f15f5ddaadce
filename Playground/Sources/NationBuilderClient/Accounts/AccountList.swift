import SimpleNetworking

/// The entries of a list of accounts, one of them selected unless it is empty, and the content of its file.
struct AccountList {
    private struct Entry {
        var saved: SavedAccount
        /// nil from a restart on, until it is resumed.
        var account: NationAccount?
    }

    private var entries: [Entry]

    /// Reads a file; one that is missing or broken is empty.
    init(_ file: URL) {
        let data = try? Data(contentsOf: file)
        let saved = data.flatMap { try? JSONDecoder().decode([SavedAccount].self, from: $0) } ?? []
        entries = saved.map { Entry(saved: $0) }
        selectOne()
    }

    /// Replaces the file; the folder is made if it is missing.
    func write(to file: URL) throws {
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try JSONEncoder().encode(saved).write(to: file, options: .atomic)
        } catch {
            throw NationError(.store, "The list of accounts could not be written.", reason: "\(error)")
        }
    }

    var saved: [SavedAccount] { entries.map(\.saved) }

    func account(of saved: SavedAccount) -> NationAccount? { index(of: saved).flatMap { entries[$0].account } }

    /// Returns an entry without its account as it stands in the list.
    func waiting(_ saved: SavedAccount) throws -> SavedAccount {
        guard let index = index(of: saved), entries[index].account == nil else { throw Self.missing(saved) }
        return entries[index].saved
    }

    mutating func add(_ account: NationAccount, as saved: SavedAccount) throws {
        guard index(of: saved) == nil else {
            throw NationError(.invalidArgument, "“\(saved.name)” is in the list already.")
        }
        entries.append(Entry(saved: saved, account: account))
        select(entries.count - 1)
    }

    mutating func select(_ saved: SavedAccount) throws {
        guard let index = index(of: saved) else { throw Self.missing(saved) }
        select(index)
    }

    /// Sets the account of an entry; nil removes it from the list.
    mutating func resume(_ saved: SavedAccount, as account: NationAccount?) throws {
        guard let index = index(of: saved), entries[index].account == nil else { throw Self.missing(saved) }
        entries[index].account = account
        if account == nil { remove(index) }
    }

    /// Updates an entry after its account's user was renamed, signed out or replaced.
    ///
    /// - Returns: Whether anything has changed.
    mutating func update(_ account: NationAccount) -> Bool {
        guard let index = entries.firstIndex(where: { $0.account === account }) else { return false }
        let old = entries[index].saved
        guard let new = try? SavedAccount(account), new.isSame(as: old) else {
            remove(index)
            return true
        }
        entries[index].saved.name = new.name
        return new.name != old.name
    }

    private func index(of saved: SavedAccount) -> Int? { entries.firstIndex { $0.saved.isSame(as: saved) } }

    private mutating func remove(_ index: Int) {
        entries.remove(at: index)
        selectOne()
    }

    private mutating func selectOne() { select(entries.firstIndex { $0.saved.isSelected } ?? 0) }

    private mutating func select(_ index: Int) {
        for other in entries.indices { entries[other].saved.isSelected = other == index }
    }

    private static func missing(_ saved: SavedAccount) -> NationError {
        NationError(.invalidArgument, "“\(saved.name)” is not in the list, or is signed in already.")
    }
}
