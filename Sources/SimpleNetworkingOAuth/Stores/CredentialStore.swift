import SimpleNetworkingSupport

/// Stores one token between runs of a program.
///
/// A store belongs to one account with one server; a program with several accounts uses several stores.
public protocol CredentialStore: Sendable {
    /// Returns the stored token, or nil if no token is stored.
    ///
    /// - Throws: An error if the token is unreadable. The stored token is left unchanged.
    func load() async throws -> OAuthToken?

    /// Replaces the stored token.
    ///
    /// When this method returns, the new token is stored permanently.
    ///
    /// - Throws: An error if the token could not be stored. The earlier token then remains stored.
    func save(_ token: OAuthToken) async throws

    /// Deletes the stored token, if there is one.
    func delete() async throws

    /// Runs work exclusively among all sessions and processes that share the store.
    ///
    /// A session refreshes the token within this method, so that the next session finds the new token. The default
    /// implementation, for stores that are not shared, only runs the work.
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

    /// Returns the stored token, or nil if no token is stored.
    public func load() -> OAuthToken? { token }

    /// Replaces the stored token.
    public func save(_ token: OAuthToken) { self.token = token }

    /// Deletes the stored token.
    public func delete() { token = nil }

    /// Runs work exclusively among all sessions that share the store.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await lock.withLock(work)
    }
}

/// Runs work that blocks a thread, such as file access, outside the limited pool of threads that tasks share.
enum Blocking {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
