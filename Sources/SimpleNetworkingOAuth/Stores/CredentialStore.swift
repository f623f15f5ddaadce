/// Keeps one token from one start of a program to the next.
///
/// A store stands for one account with one server; a program with several accounts has several stores.
public protocol CredentialStore: Sendable {
    /// Gives the token, or nil if there is none.
    ///
    /// - Throws: if there is one that cannot be read; it is then left as it is.
    func load() async throws -> OAuthToken?

    /// Keeps a token in place of the one before, for good when this returns.
    ///
    /// - Throws: if it could not be kept; the one before is then still there.
    func save(_ token: OAuthToken) async throws

    /// Forgets the token; does nothing without one.
    func delete() async throws

    /// Does something while nobody else who shares the store does the same, in this process or another.
    ///
    /// A session renews within it, so that whoever comes second finds the token that the first one got. The default only
    /// does it, for stores that nobody shares.
    func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result
}

extension CredentialStore {
    /// Does something; nobody shares the store.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        try await work()
    }
}
