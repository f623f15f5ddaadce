import SimpleNetworkingSupport

/// A refresh token that the server has refused, and for how long it isn't sent.
///
/// What refuses may also be a proxy, a firewall, or a server that is being deployed, and the token is good again later.
struct RefusedRefresh {
    let refreshToken: Secret
    let error: OAuthError
    private let pause: TimeInterval
    private let end: TimeInterval

    /// Notes a refusal; each further one of the same token doubles the pause.
    init(of refreshToken: Secret, _ error: OAuthError, after former: RefusedRefresh?, at now: TimeInterval) {
        self.refreshToken = refreshToken
        self.error = error
        let last = former.flatMap { $0.refreshToken == refreshToken ? $0.pause : nil }
        pause = min(last.map { $0 * 2 } ?? 60, 3600)
        end = error.endsSession ? .infinity : now + pause
    }

    /// Returns the refusal, if the token isn't to be sent yet.
    func error(for refreshToken: Secret, at now: TimeInterval) -> OAuthError? {
        self.refreshToken == refreshToken && now < end ? error : nil
    }
}
