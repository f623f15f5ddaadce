import SimpleNetworkingSupport

#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
    import AuthenticationServices

    /// Shows the sign-in page in the system's browser sheet, over a window of the app.
    @MainActor
    public final class WebAuthenticationPresenter: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let window: ASPresentationAnchor
        private let callbackScheme: String?
        /// The redirect URI, if it is an https URL.
        private let httpsRedirect: URL?
        private let isEphemeral: Bool

        /// Creates a presenter for a redirect URI with the app's own scheme.
        ///
        /// - Parameters:
        ///   - window: The window to show the sheet over.
        ///   - callbackScheme: The scheme of the redirect URI, such as `notes`.
        ///   - isEphemeral: Whether the browser session ends when the sheet closes. The default is false.
        public init(window: ASPresentationAnchor, callbackScheme: String?, isEphemeral: Bool = false) {
            self.window = window
            self.callbackScheme = callbackScheme
            httpsRedirect = nil
            self.isEphemeral = isEphemeral
        }

        /// Creates a presenter for a redirect URI, which may be an https URL of a domain associated with the app.
        ///
        /// In iOS 17.4, macOS 14.4, visionOS 1.1 and later, a redirect to the https URL closes the sheet. In earlier
        /// versions, the redirect opens the app like any universal link. Pass its URL to
        /// ``OAuthSession/finishAuthenticating(_:)``, which also closes the sheet.
        ///
        /// - Parameters:
        ///   - window: The window to show the sheet over.
        ///   - redirectURI: The redirect URI, such as the configuration's.
        ///   - isEphemeral: Whether the browser session ends when the sheet closes. The default is false.
        public init(window: ASPresentationAnchor, redirectURI: URL, isEphemeral: Bool = false) {
            let isHTTPS = redirectURI.scheme?.lowercased() == "https"
            self.window = window
            callbackScheme = isHTTPS ? nil : redirectURI.scheme
            httpsRedirect = isHTTPS ? redirectURI : nil
            self.isEphemeral = isEphemeral
        }

        /// Shows a page until the browser is redirected to the app.
        ///
        /// - Parameter url: The URL of the page.
        /// - Returns: The URL that the browser was redirected to.
        /// - Throws: `OAuthError.cancelled` if the user closes the sheet, errors from the system, or
        ///   `CancellationError`.
        public func present(_ url: URL) async throws -> URL? {
            // A stream ends once, even if the system both refuses to start and calls the handler.
            let (redirects, continuation) = AsyncThrowingStream<URL, any Error>.makeStream()
            let sheet = sheet(for: url) { @Sendable redirect, error in
                if let redirect { continuation.yield(redirect) }
                let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
                continuation.finish(throwing: isCancelled ? OAuthError.cancelled : error)
            }
            sheet.presentationContextProvider = self
            sheet.prefersEphemeralWebBrowserSession = isEphemeral
            if !sheet.start() {
                continuation.finish(throwing: OAuthError.configuration(reason: "the system shows no sign-in page here"))
            }
            defer { sheet.cancel() }
            for try await redirect in redirects { return redirect }
            throw CancellationError()
        }

        private func sheet(
            for url: URL,
            _ completion: @escaping ASWebAuthenticationSession.CompletionHandler
        ) -> ASWebAuthenticationSession {
            if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), let httpsRedirect, let host = httpsRedirect.host {
                let path = httpsRedirect.path.isEmpty ? "/" : httpsRedirect.path
                let callback = ASWebAuthenticationSession.Callback.https(host: host, path: path)
                return ASWebAuthenticationSession(url: url, callback: callback, completionHandler: completion)
            }
            return ASWebAuthenticationSession(
                url: url,
                callbackURLScheme: callbackScheme,
                completionHandler: completion
            )
        }

        /// Returns the window to show the sheet over.
        public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }
#endif
