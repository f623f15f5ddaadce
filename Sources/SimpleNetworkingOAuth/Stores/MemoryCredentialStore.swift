/// Keeps a token as long as the program runs.
public actor MemoryCredentialStore: CredentialStore {
    private var token: OAuthToken?
    private let turnstile = Turnstile()

    /// Makes a store with a token, or without one.
    public init(_ token: OAuthToken? = nil) { self.token = token }

    /// Gives the token, or nil if there is none.
    public func load() -> OAuthToken? { token }

    /// Keeps a token in place of the one before.
    public func save(_ token: OAuthToken) { self.token = token }

    /// Forgets the token.
    public func delete() { token = nil }

    /// Does something while no other session of this program that shares the store does.
    public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
        await turnstile.enter()
        do {
            let result = try await work()
            await turnstile.leave()
            return result
        } catch {
            await turnstile.leave()
            throw error
        }
    }
}
