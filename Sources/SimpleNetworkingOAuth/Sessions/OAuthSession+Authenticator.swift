/// Signs a client's requests: `$0.authenticator = session`.
///
/// An expired token is refreshed before a request, a refused one after it, once for all refused requests. Without a
/// token, requests are not signed.
extension OAuthSession: Authenticator {
    /// Holds a token and the sign-in that it belongs to.
    public struct Credential: Sendable, Equatable {
        /// The token.
        package let token: OAuthToken
        fileprivate let account: Int
    }

    /// Returns the stored token, or requests one if that works without the user.
    ///
    /// - Throws: `OAuthError.unknownTokenType` for a token that is no access token; errors of the store and the server.
    public func credential() async throws -> Credential? {
        while true {
            if let token = try await storedToken() {
                if OAuthToken.isNotApplicable(token.type) { throw OAuthError.unknownTokenType(token.type) }
                return Credential(token: token, account: account)
            }
            guard unattendedGrant != nil else { return nil }
            // Not returned as it is: a user may have signed in, or out, since it came.
            _ = try await refresh(replacing: nil)
        }
    }

    /// Sets the `Authorization` field (RFC 6750 §2.1).
    public nonisolated func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = credential.token.authorization.reveal()
    }

    /// Tells whether the token has expired, or is about to.
    public nonisolated func isExpired(_ credential: Credential) -> Bool { !isFresh(credential.token) }

    /// Refreshes the token; if the server is unavailable, a token that is about to expire is returned as it is.
    public func refresh(_ credential: Credential) async throws -> Credential {
        guard credential.account == account else { throw RefreshFailure.signedOut }
        do {
            let token = try await refresh(credential.token)
            guard credential.account == account else { throw RefreshFailure.signedOut }
            return Credential(token: token, account: account)
        } catch let error as OAuthError where error.isTransient && isAboutToExpire(credential.token) {
            return credential
        }
    }

    /// Returns a name that changes with each sign-in and sign-out.
    public nonisolated func identity(of credential: Credential) -> String { String(credential.account) }

    /// Returns nil, so that a cache goes by the token: another session may use the same identity for another user.
    public nonisolated func cacheIdentity(of credential: Credential) -> String? { nil }

    private func isAboutToExpire(_ token: OAuthToken) -> Bool { !isFresh(token) && !isOver(token) }
}

extension OAuthSession: SharedAuthenticator {
    /// Waits for the end of a refresh, if one is running.
    package func waitForRefresh() async { _ = try? await refreshing?.task.value }
}

extension OAuthSession {
    /// Refreshes a token that a server has refused.
    ///
    /// Concurrent calls share one refresh. If the store holds another token that has not expired, it is returned, and
    /// nothing is sent. A new token is stored before this returns, even if the task is cancelled meanwhile; the old
    /// refresh token is kept if the server sends no new one.
    ///
    /// Only `invalid_grant` deletes the token from the store, other errors leave it there.
    ///
    /// - Parameter refused: The refused token.
    /// - Returns: The token to use instead.
    /// - Throws: `OAuthError`, and errors of the store.
    public func refresh(_ refused: OAuthToken) async throws -> OAuthToken { try await refresh(replacing: refused) }

    func refresh(replacing refused: OAuthToken?) async throws -> OAuthToken {
        let begun = refreshes
        while let refreshing {
            let token = try await refreshing.task.value
            // A refresh that began before the refusal may have brought the refused token itself.
            if token.accessToken != refused?.accessToken || refreshing.number > begun { return token }
        }
        refreshes += 1
        let number = refreshes
        let task = Task.start(on: client.scheduler) { [self] in
            // If the store gave it no turn.
            defer { endRefresh(number) }
            return try await alone { session in try await session.refreshAlone(number, replacing: refused) }
        }
        refreshing = (number, task)
        return try await task.value
    }

    private func refreshAlone(_ number: Int, replacing refused: OAuthToken?) async throws -> OAuthToken {
        // Within its turn: the user who signs in next must not be given this token.
        defer { endRefresh(number) }
        try await keepUnsaved()
        // Another session or process may have refreshed it while this one waited for its turn.
        let kept = try await store.load()
        token = kept
        if let kept, kept.accessToken != refused?.accessToken, isFresh(kept) { return kept }
        do {
            if let refreshToken = kept?.refreshToken {
                let refreshed = try await refreshedToken(for: .refresh(refreshToken))
                return try await keep(refreshed, inPlaceOf: kept, as: kept?.signIn ?? UUID())
            }
            guard let unattendedGrant else { throw kept == nil ? OAuthError.notSignedIn : .noRefreshToken }
            let token = try await refreshedToken(for: unattendedGrant)
            return try await keep(token, inPlaceOf: kept, as: OAuthToken.unattended)
        } catch let error as OAuthError where error.endsSession {
            return try await afterRefusal(of: kept, error)
        }
    }

    private func endRefresh(_ number: Int) { if refreshing?.number == number { refreshing = nil } }

    private func refreshedToken(for grant: Grant) async throws -> OAuthToken {
        var token = try await client.token(for: grant)
        // Otherwise each request would refresh it: only the server knows how long it lasts.
        if !isFresh(token) { token.expiresAt = nil }
        return token
    }

    /// Deletes a token that the server does not accept any more.
    ///
    /// In a store that is shared without a lock, another program may have used it and stored its successor: that is
    /// returned.
    private func afterRefusal(of kept: OAuthToken?, _ error: OAuthError) async throws -> OAuthToken {
        if let other = try await store.load(), other != kept {
            token = other
            return other
        }
        try await forget()
        guard let unattendedGrant, kept?.refreshToken != nil else { throw error }
        let token = try await refreshedToken(for: unattendedGrant)
        return try await keep(token, inPlaceOf: nil, as: OAuthToken.unattended)
    }
}
