import SimpleNetworkingSupport

/// Stores a token in a file that only its user can read, for Linux and for command-line tools.
///
/// The store creates the file with mode 0600 and replaces it atomically, so that a crash or a full disk leaves either
/// the old token or the new one. The store creates missing folders with mode 0700. The store rejects files that other
/// users can read, files that belong to another user, and symbolic links.
///
/// The token is stored in plain text. If a Keychain is available, use `KeychainCredentialStore` instead.
///
/// On iOS and other systems that suspend apps, don't share a file through the container of an app group. While a
/// session requests a token, it holds a file lock, and the system terminates programs that hold a file lock when it
/// suspends them (`0xdead10cc`). If you must share the file, protect each use of the session with
/// `ProcessInfo.performExpiringActivity`.
public struct FileCredentialStore: CredentialStore {
    /// The file.
    package let url: URL
    private let lock: FileLock
    private let file: PrivateFile

    /// Creates a store for the given file.
    ///
    /// An empty file next to the token's file, with a name that ends in `.lock`, keeps programs that share the store
    /// from interfering with each other. The lock file is never deleted.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - lockTimeout: How long to wait for another program that uses the file, in seconds. The default is 60.
    public init(_ url: URL, lockTimeout: TimeInterval = 60) {
        self.init(url, lockTimeout: lockTimeout, clock: SystemClock())
    }

    package init(_ url: URL, lockTimeout: TimeInterval = 60, clock: any RequestClock) {
        self.url = url
        file = PrivateFile(path: url.path)
        lock = FileLock(path: url.path + ".lock", timeout: lockTimeout, clock: clock)
    }

    /// Returns the stored token, or nil if there is no file.
    ///
    /// - Throws: `CredentialStoreError`. The file is left unchanged.
    public func load() async throws -> OAuthToken? {
        try await Blocking.run { [self] in try file.read().map { try decode($0) } }
    }

    /// Replaces the stored token.
    ///
    /// If the existing file doesn't contain a valid token, the store keeps that file and appends `.corrupt` to its
    /// name.
    ///
    /// - Throws: `CredentialStoreError`. The file is then unchanged.
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

    /// Runs work exclusively among all programs and sessions that use the same file.
    ///
    /// When the program ends, even in a crash, the system releases the lock.
    ///
    /// - Throws: `CredentialStoreError.locked`, `CancellationError` if the task is cancelled during the wait, and
    ///   errors from `work`.
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
