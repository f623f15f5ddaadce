import SimpleNetworkingSupport

/// Signs the requests of a client that uses the session as its authenticator: `$0.authenticator = session`.
///
/// The session refreshes an expired token before it signs a request. If a server rejects the token, all rejected
/// requests share one refresh. If there is no token, requests are not signed.
extension OAuthSession: Authenticator {
    /// Holds a token and the sign-in that it belongs to.
    public struct Credential: Sendable, Equatable {
        /// The token.
        package let token: OAuthToken
        fileprivate let account: Int
    }

    /// Returns the stored token, or requests a new token if that is possible without the user.
    ///
    /// - Throws: `OAuthError.unknownTokenType` if the token is not an access token; errors from the store and the
    ///   server.
    public func credential() async throws -> Credential? {
        while true {
            if let stored = try await storedCredential() { return stored }
            guard unattendedGrant != nil else { return nil }
            // The result isn't returned directly, because a user may have signed in or out in the meantime.
            _ = try await refresh(replacing: nil)
        }
    }

    /// Sets the `Authorization` field (RFC 6750 §2.1).
    public nonisolated func sign(_ request: inout TransportRequest, with credential: Credential) {
        request.headers["Authorization"] = credential.token.authorization.reveal()
    }

    /// Returns whether the token has expired or is about to expire, and can be refreshed.
    ///
    /// Otherwise, the token is sent, and the server decides.
    public nonisolated func isExpired(_ credential: Credential) -> Bool { !isUsable(credential.token) }

    /// Refreshes the token.
    ///
    /// If the server is unavailable and the token is about to expire but still valid, this method returns the token
    /// unchanged.
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

    /// Returns an identifier that changes with each sign-in and sign-out.
    public nonisolated func identity(of credential: Credential) -> String { String(credential.account) }

    /// Returns nil, so that a cache uses the token to distinguish accounts.
    ///
    /// Identities can't distinguish accounts, because another session may use the same identity for another user.
    public nonisolated func cacheIdentity(of credential: Credential) -> String? { nil }

    private func isAboutToExpire(_ token: OAuthToken) -> Bool { !isFresh(token) && !isOver(token) }
}

extension OAuthSession: RequestingAuthenticator {
    package func storedCredential() async throws -> Credential? {
        guard let token = try await storedToken() else { return nil }
        if OAuthToken.isNotApplicable(token.type) { throw OAuthError.unknownTokenType(token.type) }
        return Credential(token: token, account: account)
    }
}

extension OAuthSession: SharedAuthenticator {
    /// Waits for the end of a refresh, if one is in progress.
    package func waitForRefresh() async { _ = try? await refreshing?.task.value }
}

extension OAuthSession {
    /// Refreshes a token that a server has rejected.
    ///
    /// Concurrent calls share one refresh. If the store contains another token that has not expired, this method
    /// returns that token and sends no request. The session stores the new token before this method returns, even if
    /// the task is cancelled in the meantime. If the server sends no new refresh token, the session keeps the old one.
    ///
    /// The session deletes the token from the store only if the error's `endsSession` is true. After any other refusal,
    /// such as a status of 400, the session doesn't send the same refresh token for a minute; each call throws the refusal
    /// until then, or until the next sign-in. The pause doubles with each refusal of the same token, up to an hour.
    /// Failures of the network and statuses such as 429 and 503 are no refusals.
    ///
    /// - Parameter refused: The rejected token.
    /// - Returns: The token to use instead.
    /// - Throws: `OAuthError`, and errors from the store.
    public func refresh(_ refused: OAuthToken) async throws -> OAuthToken { try await refresh(replacing: refused) }

    func refresh(replacing refused: OAuthToken?) async throws -> OAuthToken {
        let begun = refreshes
        while let refreshing {
            let token = try await refreshing.task.value
            // A refresh that began before the rejection may have returned the rejected token itself.
            if token.accessToken != refused?.accessToken || refreshing.number > begun { return token }
        }
        refreshes += 1
        let number = refreshes
        let task = Task.start(on: client.scheduler) { [self] in
            // If the store never gave the refresh its turn.
            defer { endRefresh(number) }
            return try await alone { session in try await session.refreshAlone(number, replacing: refused) }
        }
        refreshing = (number, task)
        return try await task.value
    }

    private func refreshAlone(_ number: Int, replacing refused: OAuthToken?) async throws -> OAuthToken {
        // Within its turn: the next user who signs in must not be given this token.
        defer { endRefresh(number) }
        try await keepUnsaved()
        // Another session or process may have refreshed the token while this one waited for its turn.
        let kept = try await store.load()
        token = kept
        if let kept, kept.accessToken != refused?.accessToken, isUsable(kept) { return kept }
        if let kept, let refreshToken = kept.refreshToken {
            let known = refusal?.error(for: refreshToken, at: client.uptime)
            do {
                if let known { throw known }
                let refreshed = try await refreshedToken(for: .refresh(refreshToken), refreshing: kept)
                return try await keep(refreshed, inPlaceOf: kept, as: kept.signIn ?? UUID())
            } catch let error as OAuthError where error.isRefusal {
                return try await afterRefusal(of: refreshToken, in: kept, error, isKnown: known != nil)
            }
        }
        guard unattendedGrant != nil else { throw kept == nil ? signedOutError : .noRefreshToken }
        do {
            return try await unattendedToken(inPlaceOf: kept)
        } catch let error as OAuthError where error.endsSession {
            if let other = try await successor(of: kept) { return other }
            try await forget()
            throw error
        }
    }

    private func endRefresh(_ number: Int) { if refreshing?.number == number { refreshing = nil } }

    private func refreshedToken(for grant: Grant, refreshing former: OAuthToken? = nil) async throws -> OAuthToken {
        var token = try await client.token(for: grant, refreshing: former)
        // Otherwise, each request would refresh it: only the server knows its lifetime.
        if !isFresh(token) { token.expiresAt = nil }
        return token
    }

    /// Requests a token without the user.
    private func unattendedToken(inPlaceOf kept: OAuthToken?) async throws -> OAuthToken {
        guard let unattendedGrant else { throw signedOutError }
        let token = try await refreshedToken(for: unattendedGrant)
        return try await keep(token, inPlaceOf: kept, as: OAuthToken.unattended)
    }

    /// Notes that the server refuses a refresh token, and deletes the token if it is no longer valid.
    ///
    /// If that costs no user the sign-in, a token is requested without one.
    private func afterRefusal(
        of refreshToken: Secret,
        in kept: OAuthToken,
        _ error: OAuthError,
        isKnown: Bool
    ) async throws -> OAuthToken {
        if let other = try await successor(of: kept) { return other }
        if !isKnown { refusal = RefusedRefresh(of: refreshToken, error, after: refusal, at: client.uptime) }
        if error.endsSession { try await forget(after: refusal) }
        guard unattendedGrant != nil, error.endsSession || kept.signIn == OAuthToken.unattended else { throw error }
        return try await unattendedToken(inPlaceOf: nil)
    }

    /// Returns the token that replaced another one in the store, if any.
    ///
    /// In a store that is shared without a lock, another program may have used the refresh token.
    private func successor(of kept: OAuthToken?) async throws -> OAuthToken? {
        guard let other = try await store.load(), other != kept else { return nil }
        token = other
        return other
    }
}
