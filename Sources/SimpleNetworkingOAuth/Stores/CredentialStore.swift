/// Stores one token between runs of a program.
///
/// A store belongs to one account with one server; a program with several accounts uses several stores.
public protocol CredentialStore: Sendable {
    /// Loads the token, or nil if there is none.
    ///
    /// - Throws: An error if the token is unreadable; it is left unchanged.
    func load() async throws -> OAuthToken?

    /// Replaces the token; the new token is stored permanently when this method returns.
    ///
    /// - Throws: An error if the token could not be stored; the earlier token is then still there.
    func save(_ token: OAuthToken) async throws

    /// Deletes the token, if there is one.
    func delete() async throws

    /// Runs work while no other session or process that shares the store does the same.
    ///
    /// A session refreshes the token within this method, so that the next session finds the new token. The default
    /// just runs the work, for stores that are not shared.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result
}

extension CredentialStore {
    /// Runs the work, for a store that is not shared.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await work()
    }
}

/// Stores a token in memory.
public actor MemoryCredentialStore: CredentialStore {
    private var token: OAuthToken?
    private let lock = AsyncLock()

    /// Creates a store, with or without a token.
    public init(_ token: OAuthToken? = nil) { self.token = token }

    /// Returns the token, or nil if there is none.
    public func load() -> OAuthToken? { token }

    /// Replaces the token.
    public func save(_ token: OAuthToken) { self.token = token }

    /// Deletes the token.
    public func delete() { token = nil }

    /// Runs work while no other session that shares the store does the same.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await lock.withLock(work)
    }
}

/// Runs work that blocks a thread, such as file access, outside the limited threads that tasks share.
enum Blocking {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
