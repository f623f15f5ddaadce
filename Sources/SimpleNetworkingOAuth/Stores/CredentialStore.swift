/// Keeps one token between runs of a program.
///
/// A store belongs to one account with one server; a program with several accounts has several stores.
public protocol CredentialStore: Sendable {
    /// Loads the token, or nil if there is none.
    ///
    /// - Throws: if there is an unreadable one, which is left as it is.
    func load() async throws -> OAuthToken?

    /// Replaces the token; it is stored for good when this returns.
    ///
    /// - Throws: if it could not be stored; the earlier one is then still there.
    func save(_ token: OAuthToken) async throws

    /// Deletes the token, if there is one.
    func delete() async throws

    /// Does some work while no other session or process that shares the store does the same.
    ///
    /// A session refreshes within it, so that the next one finds the new token. The default just does the work, for
    /// stores that are not shared.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result
}

extension CredentialStore {
    /// Does some work, for a store that is not shared.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await work()
    }
}

/// Keeps a token in memory.
public actor MemoryCredentialStore: CredentialStore {
    private var token: OAuthToken?
    private let lock = AsyncLock()

    /// Creates a store with a token, or without one.
    public init(_ token: OAuthToken? = nil) { self.token = token }

    /// Returns the token, or nil if there is none.
    public func load() -> OAuthToken? { token }

    /// Replaces the token.
    public func save(_ token: OAuthToken) { self.token = token }

    /// Deletes the token.
    public func delete() { token = nil }

    /// Does some work while no other session that shares the store does the same.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await lock.withLock(work)
    }
}

/// Runs work that blocks a thread, such as file access, away from the few threads that tasks share.
enum Blocking {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
