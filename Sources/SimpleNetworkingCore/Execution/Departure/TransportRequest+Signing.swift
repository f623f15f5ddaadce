import SimpleNetworkingSupport

/// Signs requests with a credential.
extension TransportRequest {
    func signed<Scheme: Authenticator>(
        with use: CredentialSigner<Scheme>.Use,
        by signer: CredentialSigner<Scheme>,
        isPreview: Bool = false
    ) -> TransportRequest {
        let plan = signer.plan
        let namesAccount = plan.destination.isStore || plan.features.contains { $0.needsAccount }
        var signed = signed(
            with: use.credential,
            signer.authenticator,
            namesAccount: namesAccount,
            isPreview: isPreview
        )
        signed.credential = use
        return signed
    }

    /// Returns the request with a credential, whose header fields are secret.
    fileprivate func signed<Scheme: Authenticator>(
        with credential: Scheme.Credential,
        _ authenticator: Scheme,
        namesAccount: Bool = false,
        isPreview: Bool = false
    ) -> TransportRequest {
        var signed = self
        if isPreview, let counting = authenticator as? any CountingAuthenticator {
            counting.preview(&signed, ofAny: credential)
        } else {
            authenticator.sign(&signed, with: credential)
        }
        for name in signed.headers.names where signed.headers[name] != headers[name] { signed.headers.markSecret(name) }
        if namesAccount, let account = authenticator.cacheIdentity(of: credential) {
            let fields = signed.headers.fields.filter { $0.isSecret && headers[$0.name] != signed.headers[$0.name] }
            signed.signature = Boxed(Signature(account: "\(Scheme.self) \(account)", fields: fields))
        }
        return signed
    }

    /// Returns the request with the authenticator's credential, if it has one.
    func signed(by authenticator: some Authenticator) async throws -> TransportRequest {
        guard let credential = try await authenticator.credential() else { return self }
        return signed(with: credential, authenticator)
    }
}
