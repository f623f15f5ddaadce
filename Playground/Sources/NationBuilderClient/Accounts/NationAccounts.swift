import SimpleNetworking
import Synchronization

/// Keeps a list of accounts, one of them selected, and writes it to a file from one start of the program to the next.
///
/// ```text
/// let accounts = NationAccounts(file: url)
/// try await account.begin(with: credential)
/// try accounts.add(account)
/// // after a restart:
/// if let saved = accounts.selected { try await accounts.resume(saved, as: NationAccount(client, authenticator)) }
/// ```
///
/// An account leaves the list when its user signs out, is signed out by the nation, or gives way to another user. If it
/// was the selected one, the first that remains is selected. A file belongs to one list.
public final class NationAccounts: Sendable {
    private let file: URL
    private let list: Mutex<AccountList>

    /// Reads a list.
    ///
    /// A file that is missing or broken is an empty list. It is left as it is until the next change, which replaces it.
    ///
    /// - Parameter file: The file; a folder that is missing is made.
    public init(file: URL) {
        self.file = file
        list = Mutex(AccountList(file))
    }

    /// The accounts, in the order in which they were added.
    public var saved: [SavedAccount] { list.withLock { $0.saved } }

    /// The selected account, or nil if the list is empty.
    public var selected: SavedAccount? { saved.first { $0.isSelected } }

    /// Returns the account of an entry, or nil if it is not in the list or has not been resumed since the start.
    public func account(of saved: SavedAccount) -> NationAccount? { list.withLock { $0.account(of: saved) } }

    /// Adds an account that has a user, and selects it.
    ///
    /// A duplicate is released and not signed out: both have one stored credential.
    ///
    /// - Throws: ``NationError``: `.invalidArgument` if the account has no user, or its user is in the list;
    ///   `.store` if the file cannot be written. The list is then as it was.
    public func add(_ account: NationAccount) throws {
        let saved = try SavedAccount(account)
        try change { try $0.add(account, as: saved) }
        follow(account)
    }

    /// Selects an account, which need not have been resumed.
    ///
    /// - Throws: ``NationError``: `.invalidArgument` if it is not in the list; `.store` if the file cannot be written.
    public func select(_ saved: SavedAccount) throws { try change { try $0.select(saved) } }

    /// Resumes the account of an entry that was read from the file, with its stored credential; it sends no request.
    ///
    /// Its user is then known by identifier and name alone, and by all the rest after another `begin(with:)`.
    ///
    /// - Parameters:
    ///   - saved: The entry; it leaves the list if there is no credential any more.
    ///   - account: An account without a user, of the same nation and with the same store.
    /// - Throws: ``NationError``: `.invalidArgument` if the entry is not in the list, has its account already, or is of
    ///   another nation; `.authentication` if there is no credential; `.store` if it cannot be read.
    public func resume(_ saved: SavedAccount, as account: NationAccount) async throws {
        guard account.client.slug.lowercased() == saved.slug.lowercased() else {
            throw NationError(.invalidArgument, "The account is not of the nation “\(saved.slug)”.")
        }
        let isSignedIn = try await account.resume(try list.withLock { try $0.waiting(saved) })
        try list.withLock { try $0.resume(saved, as: isSignedIn ? account : nil) }
        guard isSignedIn else {
            rewrite()
            throw NationError(.authentication, "“\(saved.name)” has to sign in again.")
        }
        follow(account)
    }

    /// Signs out of an account, discards its credential, and takes it off the list.
    ///
    /// - Throws: ``NationError``: `.invalidArgument` if it is not in the list or has not been resumed; `.store` if the
    ///   credential could not be deleted: it then stays in the list.
    public func signOut(of saved: SavedAccount) async throws {
        guard let account = account(of: saved) else {
            throw NationError(.invalidArgument, "“\(saved.name)” is not in the list, or has not been resumed.")
        }
        await account.signOut()
        guard self.account(of: saved) !== account else {
            throw NationError(.store, "The credential of “\(saved.name)” could not be deleted.")
        }
    }

    private func follow(_ account: NationAccount) {
        account.follow { [weak self] in self?.update($0) }
        // The nation may have rejected its key before.
        update(account)
    }

    private func update(_ account: NationAccount) {
        if list.withLock({ $0.update(account) }) { rewrite() }
    }

    /// Writes the list, without reporting a failure: after a restart `resume` finds that there is no credential.
    private func rewrite() { list.withLock { try? $0.write(to: file) } }

    /// Changes the list if the file can be changed; under the lock, so that the last change is the last to be written.
    private func change(_ body: (inout AccountList) throws -> Void) throws {
        try list.withLock { list in
            var changed = list
            try body(&changed)
            try changed.write(to: file)
            list = changed
        }
    }
}
