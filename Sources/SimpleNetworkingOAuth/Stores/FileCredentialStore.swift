/// Keeps a token in a file that only its user may read: for Linux, and for tools.
///
/// The file has mode 0600 from its first byte on and is replaced as a whole, so that a crash or a full disk leaves the old
/// token or the new one, and never a part of either. A folder that is missing is made with mode 0700. A file that others may
/// read, one of another user, and a symbolic link are refused.
///
/// The token stands there in plain text: whoever may read the user's files may read it. Where there is a Keychain, use
/// `KeychainCredentialStore`.
public struct FileCredentialStore: CredentialStore {
    /// The file.
    public let url: URL
    private let lock: FileLock
    private let file: PrivateFile

    /// Makes a store.
    ///
    /// Beside the file stands another one, its name ending in `.lock`, by which programs that share it keep out of each
    /// other's way. It stays there, empty.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - lockTimeout: Seconds to wait for another program that works with the file. The default is 60.
    ///   - clock: What the wait is kept with. The default is the system's clock.
    public init(_ url: URL, lockTimeout: TimeInterval = 60, clock: any RequestClock = SystemClock()) {
        self.url = url
        file = PrivateFile(path: url.path)
        lock = FileLock(path: url.path + ".lock", timeout: lockTimeout, clock: clock)
    }

    /// Gives the token, or nil if there is no file.
    ///
    /// - Throws: `CredentialStoreError`; the file is left as it is.
    public func load() async throws -> OAuthToken? {
        try await Blocking.run { [self] in try file.read().map { try decode($0) } }
    }

    /// Replaces the file.
    ///
    /// One whose content cannot be read is not lost: its name gets `.corrupt` at its end.
    ///
    /// - Throws: `CredentialStoreError`; the file is then as it was.
    public func save(_ token: OAuthToken) async throws {
        let data = try JSONEncoder().encode(token)
        try await Blocking.run { [self] in
            if let old = try file.read(), (try? decode(old)) == nil { try file.setAside(".corrupt") }
            try file.replace(with: data)
        }
    }

    /// Removes the file.
    ///
    /// - Throws: `CredentialStoreError`
    public func delete() async throws {
        try await Blocking.run { [file] in try file.remove() }
    }

    /// Does something while no other program, and no other session of this one, does so with the same file.
    ///
    /// The system lets go of it when the program ends in whatever way.
    ///
    /// - Throws: `CredentialStoreError.locked`, `CancellationError` while it waits, and what `work` throws.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        let descriptor = try await lock.take { [file] in try file.makeFolder() }
        defer { lock.release(descriptor) }
        return try await work()
    }

    /// The decoder's own error would quote what it could not read.
    private func decode(_ data: Data) throws -> OAuthToken {
        guard let token = try? JSONDecoder().decode(OAuthToken.self, from: data) else {
            throw CredentialStoreError.corrupt(path: url.path)
        }
        return token
    }
}
