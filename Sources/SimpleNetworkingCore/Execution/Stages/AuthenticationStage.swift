import SimpleNetworkingSupport

/// Sends a request again with a new credential if the server rejects the one that it carried.
///
/// The request is signed when it is sent; see `DepartureStage`.
struct AuthenticationStage<Scheme: Authenticator>: Middleware {
    let signer: CredentialSigner<Scheme>
    /// What waits for the verdict, and isn't kept of a rejection.
    let commits: Commits?

    /// The maximum number of newer credentials, from other requests' refreshes, that an attempt tries.
    private static var maxResends: Int { 5 }

    func intercept(_ request: TransportRequest, next: @escaping Next) async throws -> TransportResponse {
        let (plan, execution, authenticator) = (signer.plan, signer.execution, signer.authenticator)
        // The user may change while hooks, middleware or another download of the same file take their time.
        if plan.mayTakeTime { try await signer.noteAccount(for: request) }
        var resends = 0
        while true {
            let outcome: Result<TransportResponse, any Error>
            do { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
            // Only a server knows the credential, and a rejection by the origin of a redirect says nothing about it.
            guard let response = execution.head(of: outcome), !response.isLocal,
                let use = response.credential as? CredentialSigner<Scheme>.Use ?? signer.use,
                plan.isTrusted(response.request?.url ?? request.url)
            else { return try outcome.get() }
            let resource = { RefusingResource(request.head) }
            guard authenticator.isRefusal(response) else {
                let isAccepted = response.httpStatus < 400 && (use.isTrial || resends > 0)
                if isAccepted { signer.sharedRefresh.accept(resource()) }
                return try outcome.get()
            }
            guard execution.mayBeginAgain, resends < Self.maxResends else { return try outcome.get() }
            commits?.drop()
            signer.note(plan.seen(response, to: request.head, attempt: execution.sentAttempt))
            resends += 1
            // Another client may be about to receive the next credential, which has revoked this one.
            if !signer.sharedRefresh.isRefreshing { try await signer.waitForOthers() }
            if try await signer.orFail(request, { try await signer.readCredential() }) != use.credential {
                execution.record(.refresh(.superseded))
                continue
            }
            let hasExpired = (authenticator as? any ExpiryTellingAuthenticator)?.isExpiry(response) == true
            let cause = CredentialRefusal(of: use.generation, by: resource(), afterRefreshTo: signer.refreshed)
            let reason: SimpleNetworking.SharedRefresh.Cause =
                hasExpired ? .expiry(use.generation) : .refusal(execution.assess(cause))
            guard let refresh = signer.refresh(use.credential, after: reason) else { return try outcome.get() }
            signer.note(refreshed: try await signer.orFail(request) { try await refresh.value() })
        }
    }
}
