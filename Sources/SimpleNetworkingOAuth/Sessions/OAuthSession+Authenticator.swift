/// Signs a client's requests: `$0.authenticator = session`.
///
/// A token that is about to expire is renewed before it is shown, and one that is refused after that, once for all who were
/// refused. As long as nobody is signed in, requests go out unsigned.
extension OAuthSession: Authenticator {
    /// A token, and whose it is.
    public struct Credential: Sendable, Equatable {
        /// The token.
        public let token: OAuthToken
        fileprivate let account: Int
    }

    /// The token that is kept, or one that is had without a user where there is none.
    public func credential() async throws -> Credential? {
        if let token = try await storedToken() { return Credential(token: token, account: account) }
        guard unattendedGrant != nil else { return nil }
        let token = try await renew(inPlaceOf: nil)
        return Credential(token: token, account: account)
    }

    /// Sets the `Authorization` field (RFC 6750 §2.1).
    public nonisolated func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = credential.token.authorization.reveal()
    }

    /// Tells whether the token has expired, or is about to.
    public nonisolated func isExpired(_ credential: Credential) -> Bool { !isFresh(credential.token) }

    /// Gets another token; one that is about to expire is given as it is if the server cannot be reached.
    public func renew(_ credential: Credential) async throws -> Credential {
        guard credential.account == account else { throw RenewalFailure.signedOut }
        do {
            let token = try await renew(credential.token)
            guard credential.account == account else { throw RenewalFailure.signedOut }
            return Credential(token: token, account: account)
        } catch let error as OAuthError where error.isTransient && isAboutToExpire(credential.token) {
            return credential
        }
    }

    /// Changes with each sign-in and sign-out.
    public nonisolated func identity(of credential: Credential) -> String { String(credential.account) }

    /// Nobody: the number that `identity(of:)` gives means nothing to another session, so a cache goes by the token itself.
    public nonisolated func cacheIdentity(of credential: Credential) -> String? { nil }

    private func isAboutToExpire(_ token: OAuthToken) -> Bool {
        !isFresh(token) && !token.isExpired(at: configuration.now(), skew: 0)
    }
}
