/// What a sign-in waits for: a redirect to its address, with its state, from its server.
struct ExpectedRedirect: Sendable {
    let redirectURI: URL
    let state: Secret?
    let issuer: String?

    /// Tells whether a redirect carries the state that was sent.
    ///
    /// An error without one will do at a loopback address, since no other sign-in can wait there.
    func recognizes(_ redirect: URL) -> Bool {
        guard let answer = try? Redirect(redirect, to: redirectURI) else { return false }
        let isLoopback = redirectURI.scheme?.lowercased() == "http"
        return answer.carries(state) || isLoopback && answer.isErrorWithoutState
    }

    /// Tells whether a redirect is an error without a state, which may belong to any sign-in that waits at the address.
    func mayBeRefused(by redirect: URL) -> Bool {
        (try? Redirect(redirect, to: redirectURI))?.isErrorWithoutState ?? false
    }

    /// Reads a redirect.
    ///
    /// - Throws: `.invalidRedirect` or `.stateMismatch` for one that belongs to another sign-in.
    func read(_ redirect: URL) throws(OAuthError) -> Redirect {
        let answer = try Redirect(redirect, to: redirectURI)
        guard answer.carries(state) || answer.isErrorWithoutState else { throw .stateMismatch }
        return answer
    }
}
