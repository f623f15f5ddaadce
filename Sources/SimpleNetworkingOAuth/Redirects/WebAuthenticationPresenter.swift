#if canImport(AuthenticationServices) && (os(iOS) || os(macOS) || os(visionOS))
    import AuthenticationServices

    /// Shows the sign-in page in the system's browser sheet, over a window of the app.
    @MainActor
    public final class WebAuthenticationPresenter: NSObject, ASWebAuthenticationPresentationContextProviding {
        private let window: ASPresentationAnchor
        private let callbackScheme: String?
        private let isEphemeral: Bool

        /// Makes a presenter.
        ///
        /// - Parameters:
        ///   - window: The window to show the sheet over.
        ///   - callbackScheme: The scheme of the redirect URI, such as `notes`.
        ///   - isEphemeral: Whether the browser session ends with the sheet. The default is false.
        public init(window: ASPresentationAnchor, callbackScheme: String?, isEphemeral: Bool = false) {
            self.window = window
            self.callbackScheme = callbackScheme
            self.isEphemeral = isEphemeral
        }

        /// Shows a page until the browser is redirected to the app.
        ///
        /// - Parameter url: The page.
        /// - Returns: The redirect.
        /// - Throws: `OAuthError.cancelled` if the user closes the sheet, errors of the system, or `CancellationError`.
        public func present(_ url: URL) async throws -> URL? {
            // A stream ends once, although the system may both refuse to start and call the handler.
            let (redirects, continuation) = AsyncThrowingStream<URL, any Error>.makeStream()
            let sheet = ASWebAuthenticationSession(url: url, callbackURLScheme: callbackScheme) {
                @Sendable redirect, error in
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

        /// Returns the window to show the sheet over.
        public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }
#endif
