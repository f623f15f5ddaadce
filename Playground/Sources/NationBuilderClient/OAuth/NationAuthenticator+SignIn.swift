import SimpleNetworking
import SimpleNetworkingOAuth
import Synchronization

/// A user with a credential is signed in without a browser and without the server.
extension NationAuthenticator {
    /// Signs in in a browser: the implicit flow.
    ///
    /// - Parameter present: Shows the page; nil if there is no browser.
    /// - Returns: The credential.
    /// - Throws: ``NationError``.
    public func authenticate(presenting present: Presenter?) async throws -> OAuthToken {
        if let credential = await credential { return credential }
        guard redirectScheme != nil else {
            throw NationError(.missingScheme, "There is no URL type “com.nationbuilder.oauth”.")
        }
        guard let present else { throw NationError(.missingBrowser, "There is nothing to show the page with.") }
        let task = Task {
            defer { signsOutFirst.withLock { $0 = false } }
            return try await naming {
                try await session.signInImplicitly { [self] url in
                    let page = signsOutFirst.withLock { $0 } ? logoutURL(before: url) : url
                    log(.info, "The page to authorise is shown: \(page.path)")
                    return try await present(page)
                }
            }
        }
        Self.waiting.withLock { $0[ObjectIdentifier(self)] = (self, task) }
        defer { Self.waiting.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Signs in with a user's name and password.
    ///
    /// - Returns: The credential.
    /// - Throws: ``NationError``; errors that prevented a response are thrown as they are.
    public func authenticate(user: String, password: Secret) async throws -> OAuthToken {
        if let credential = await credential { return credential }
        return try await naming { try await session.signIn(user: user, password: password) }
    }

    /// Lets the next sign-in begin with a sign-out, so that another user may sign in.
    public func signOutFirst() { signsOutFirst.withLock { $0 = true } }

    /// Whether a sign-in waits for the user.
    public var isAuthenticatingInWebBrowser: Bool { get async { await session.isAuthenticating } }

    /// Ends the sign-in that waits for the user, who came back without a redirect.
    public func userDidReturn() async { await session.cancelAuthenticating() }

    /// Makes the URL of the page to authorise, for a browser of your own.
    public func authorizeURL() throws -> URL { try ImplicitRequest(session.configuration).url }

    // MARK: Redirects

    private static let waiting = Mutex<[ObjectIdentifier: (NationAuthenticator, Task<OAuthToken, any Error>)]>([:])

    /// Passes on a URL that the app was opened with, to the authenticator that waits for it.
    ///
    /// - Returns: Whether it signs a user in. The waiting call has ended when this returns. Does nothing for a
    ///   URL that no call waits for.
    @discardableResult
    public static func finishAuthenticating(_ redirect: URL) async -> Bool {
        let waiting = waiting.withLock { Array($0.values) }
        for (authenticator, task) in waiting where await authenticator.session.finishAuthenticating(redirect) {
            return (try? await task.value) != nil
        }
        return false
    }

    // MARK: Error texts

    private func logoutURL(before url: URL) -> URL {
        var components = URLComponents(url: baseURL.appendingPathComponent("logout"), resolvingAgainstBaseURL: true)
        let encoded = url.absoluteString.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        components?.percentEncodedQuery = "url=" + encoded
        return components?.url ?? url
    }

    private func naming(_ signIn: () async throws -> OAuthToken) async throws -> OAuthToken {
        do {
            return try await signIn()
        } catch let error as OAuthError {
            log(.error, error.description)
            throw Self.named(error)
        } catch let error as CredentialStoreError {
            log(.error, error.description)
            throw NationError(.store, "The credential could not be kept.", reason: error.description)
        }
    }

    private static func named(_ error: OAuthError) -> any Error {
        switch error {
        case .unavailable(let cause) where cause.response == nil: return cause
        case .unavailable(let cause):
            return NationError(.authentication, "The server responded with status \(cause.httpStatus ?? 0).")
        case .cancelled: return NationError(.stopped, "The user came back without signing in.")
        case .superseded: return NationError(.authentication, "Another sign-in was begun.")
        case .refused(let refusal), .denied(let refusal):
            let status = refusal.httpStatus.map { " with status \($0)" } ?? ""
            let description = "The server refused\(status): \(refusal.code.rawValue)."
            return NationError(.authentication, description, reason: refusal.explanation)
        default: return NationError(.authentication, error.description)
        }
    }
}
