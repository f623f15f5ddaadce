import SimpleNetworkingSupport

extension IDToken {
    /// Checks that this server issued the ID token to this program for this sign-in.
    ///
    /// Clocks may differ by up to a minute.
    func check(against configuration: OAuthConfiguration, nonce: Secret?) throws(OAuthError) {
        if let expected = configuration.issuer, !issuer.utf8.elementsEqual(expected.utf8) {
            throw .invalidIDToken(reason: "it comes from another server")
        }
        guard audiences.contains(configuration.clientID) else {
            throw .invalidIDToken(reason: "it is for another program")
        }
        if audiences.count > 1 || authorizedParty != nil, authorizedParty != configuration.clientID {
            throw .invalidIDToken(reason: "it was issued to another program")
        }
        guard configuration.now() < expiresAt.addingTimeInterval(60) else {
            throw .invalidIDToken(reason: "it has expired, by the clock of this machine")
        }
        if let nonce, self.nonce != nonce {
            throw .invalidIDToken(reason: "it belongs to another sign-in")
        }
    }
}

extension OAuthToken {
    /// Checks the ID token that a grant returned; only a sign-in with a nonce must return one.
    ///
    /// A refresh may omit the nonce of the former ID token, but not change it (OpenID Connect Core 1.0 §12.2).
    func checkIDToken(
        from grant: Grant,
        after former: OAuthToken?,
        against configuration: OAuthConfiguration
    ) throws(OAuthError) {
        guard let idToken = try idToken else {
            // Otherwise, the code of another sign-in could pass without its nonce.
            if grant.nonce != nil { throw .invalidIDToken(reason: "the token response holds none") }
            return
        }
        let formerNonce = idToken.nonce == nil ? nil : (try? former?.idToken)?.nonce
        try idToken.check(against: configuration, nonce: grant.nonce ?? formerNonce)
    }

    /// Checks that a refresh didn't return another user's token (OpenID Connect Core 1.0 §12.2).
    func checkUser(after former: OAuthToken?) throws(OAuthError) {
        guard let former = try? former?.idToken, let new = try? idToken else { return }
        guard new.subject == former.subject, new.issuer == former.issuer else {
            throw .invalidIDToken(reason: "it names another user than before")
        }
    }
}
