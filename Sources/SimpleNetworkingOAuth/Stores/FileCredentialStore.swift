/// Stores a token in a file that only its user can read, for Linux and for command-line tools.
///
/// The file has mode 0600 from the start and is replaced atomically, so that a crash or a full disk leaves either the
/// old token or the new one. Missing folders are created with mode 0700. The store rejects files that others can read,
/// files of another user, and symbolic links.
///
/// The token is stored in plain text. If there is a Keychain, use `KeychainCredentialStore`.
///
/// On iOS and its siblings, don't share a file through the container of an app group. While a token is requested, the
/// program holds a lock on a file, and the system terminates programs that hold such a lock when it suspends them
/// (`0xdead10cc`). If you must share the file, protect each use of the session with
/// `ProcessInfo.performExpiringActivity`.
public struct FileCredentialStore: CredentialStore {
    /// The file.
    package let url: URL
    private let lock: FileLock
    private let file: PrivateFile

    /// Creates a store.
    ///
    /// An empty file next to it, whose name ends in `.lock`, keeps programs that share the store from interfering. It
    /// is never deleted.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - lockTimeout: How long to wait for another program that uses the file, in seconds. The default is 60.
    public init(_ url: URL, lockTimeout: TimeInterval = 60) {
        self.init(url, lockTimeout: lockTimeout, clock: SystemClock())
    }

    package init(_ url: URL, lockTimeout: TimeInterval = 60, clock: any RequestClock) {
        self.url = url
        file = PrivateFile(path: url.path)
        lock = FileLock(path: url.path + ".lock", timeout: lockTimeout, clock: clock)
    }

    /// Loads the token, or nil if there is no file.
    ///
    /// - Throws: `CredentialStoreError`; the file is left unchanged.
    public func load() async throws -> OAuthToken? {
        try await Blocking.run { [self] in try file.read().map { try decode($0) } }
    }

    /// Replaces the file.
    ///
    /// If the existing file is unreadable, it is kept, with `.corrupt` appended to its name.
    ///
    /// - Throws: `CredentialStoreError`; the file is then unchanged.
    public func save(_ token: OAuthToken) async throws {
        let data = try JSONEncoder().encode(token)
        try await Blocking.run { [self] in
            do {
                if let old = try file.read() { _ = try decode(old) }
            } catch CredentialStoreError.corrupt {
                try file.setAside(".corrupt")
            }
            try file.replace(with: data)
        }
    }

    /// Deletes the file.
    ///
    /// - Throws: `CredentialStoreError`.
    public func delete() async throws {
        try await Blocking.run { [file] in try file.remove() }
    }

    /// Runs work while no other program, and no other session in this program, does so with the same file.
    ///
    /// When the program ends, even in a crash, the system releases the lock.
    ///
    /// - Throws: `CredentialStoreError.locked`, `CancellationError` while it waits, and errors from `work`.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        let descriptor = try await lock.take { [file] in try file.makeFolder() }
        defer { close(descriptor) }
        return try await work()
    }

    private func decode(_ data: Data) throws -> OAuthToken {
        // The decoder's own error would quote the content.
        guard let token = try? JSONDecoder().decode(OAuthToken.self, from: data) else {
            throw CredentialStoreError.corrupt(path: url.path)
        }
        return token
    }
}

/// Locks an empty file against other programs and other sessions in this program.
struct FileLock: Sendable {
    let path: String
    let timeout: TimeInterval
    let clock: any RequestClock

    /// Waits for the lock, and returns a descriptor, which releases the lock when it is closed.
    ///
    /// It polls every 20 ms, because a blocking call would occupy one of the limited threads that tasks share, and
    /// could not be cancelled.
    func take(preparing prepare: @escaping @Sendable () throws -> Void) async throws -> Int32 {
        let descriptor = try await Blocking.run {
            try prepare()
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure("open") }
            return descriptor
        }
        do {
            let end = clock.now + timeout
            while try !isTaken(by: descriptor) {
                guard clock.now < end else { throw CredentialStoreError.locked(path: path, timeout) }
                try Task.checkCancellation()
                await withCheckedContinuation { turn in
                    _ = clock.schedule(after: 0.02, for: .other) { turn.resume() }
                }
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func isTaken(by descriptor: Int32) throws -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("flock") }
        return false
    }

    private func failure(_ call: String) -> CredentialStoreError { .system(call: call, path: path, errno: errno) }
}
