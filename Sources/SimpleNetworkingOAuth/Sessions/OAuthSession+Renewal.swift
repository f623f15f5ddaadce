extension OAuthSession {
    /// Gets another token in place of one that a server has refused.
    ///
    /// Whoever asks second gets what the first one got. When the store holds another token that has not expired, that is
    /// the answer, and nothing is sent. A new token is in the store before this returns, even if the task that asked is
    /// cancelled meanwhile; the old refresh token is kept if the server gives no new one.
    ///
    /// Only `invalid_grant` removes the token from the store. A server that cannot be reached, fails, or refuses for
    /// another reason, leaves it there.
    ///
    /// - Parameter refused: The token that was refused.
    /// - Returns: The token to go on with.
    /// - Throws: `OAuthError`, and what the store throws.
    public func renew(_ refused: OAuthToken) async throws -> OAuthToken { try await renew(inPlaceOf: refused) }

    func renew(inPlaceOf refused: OAuthToken?) async throws -> OAuthToken {
        while let renewal {
            let token = try await renewal.value
            // What began before the refusal may have brought the very token that was refused.
            if token.accessToken != refused?.accessToken { return token }
        }
        let task = Task {
            defer { renewal = nil }
            return try await alone { session in try await session.renewAlone(inPlaceOf: refused) }
        }
        renewal = task
        return try await task.value
    }

    private func renewAlone(inPlaceOf refused: OAuthToken?) async throws -> OAuthToken {
        if let unsaved { try await keep(unsaved) }
        // Somebody else may have renewed it while this waited for its turn, in this process or in another.
        let kept = try await store.load()
        token = kept
        if let kept, kept.accessToken != refused?.accessToken, isFresh(kept) { return kept }
        guard let grant = kept?.refreshToken.map(Grant.refresh) ?? unattendedGrant else {
            throw kept == nil ? OAuthError.notSignedIn : .noRefreshToken
        }
        do {
            var renewed = try await client.token(for: grant)
            renewed.refreshToken = renewed.refreshToken ?? kept?.refreshToken
            renewed.scope = renewed.scope ?? kept?.scope
            try await keep(renewed)
            return renewed
        } catch let error as OAuthError where error.endsSession {
            return try await afterRefusal(of: kept, error)
        }
    }

    /// Forgets a token that is worth nothing any more.
    ///
    /// Unless, where a store is shared without a lock, another program has used it up and stored its successor.
    private func afterRefusal(of kept: OAuthToken?, _ error: OAuthError) async throws -> OAuthToken {
        if let other = try await store.load(), other != kept {
            token = other
            return other
        }
        try await forget()
        guard let unattendedGrant, kept?.refreshToken != nil else { throw error }
        let token = try await client.token(for: unattendedGrant)
        try await keep(token)
        return token
    }
}
