import SimpleNetworkingSupport

extension OAuthSession {
    /// Signs in with a code that the user enters on another device (RFC 8628), for TVs and tools without a browser.
    ///
    /// The session polls the server as often as the server allows, until the user has entered the code or the code
    /// expires. While the server can't be reached, the session polls less and less often.
    ///
    /// ```swift
    /// let token = try await session.signInByDevice { prompt in
    ///     print("Open \(prompt.verificationURI) and enter \(prompt.userCode).")
    /// }
    /// ```
    ///
    /// - Parameter show: A closure that shows the code and the page's URL, and returns without waiting for the user.
    /// - Returns: The token, which the session has stored.
    /// - Throws: `OAuthError`: `.denied` if the user refuses, `.timedOut` if the code expires, `.superseded` after
    ///   another sign-in or a sign-out; errors from `show` and the store; and `CancellationError`.
    @discardableResult
    public func signInByDevice(
        prompting show: @Sendable (DevicePrompt) async throws -> Void
    ) async throws -> OAuthToken {
        let number = startSignIn()
        let codes = try await client.deviceCodes()
        let start = client.uptime
        try await show(codes.prompt)
        var interval = codes.interval
        var failure: OAuthError?
        while true {
            try await client.sleep(interval)
            guard client.uptime - start <= codes.prompt.lifetime else {
                throw failure ?? .timedOut(codes.prompt.lifetime)
            }
            do {
                return try await signIn(number, with: codes.grant)
            } catch let error as OAuthError {
                if error.refusal?.code == .expiredToken { throw OAuthError.timedOut(codes.prompt.lifetime) }
                guard let next = Self.interval(after: error, interval) else { throw error }
                interval = next
                failure = error.refusal == nil ? error : nil
            }
        }
    }

    /// Returns the number of seconds until the next poll, or nil if there is none.
    private static func interval(after error: OAuthError, _ interval: TimeInterval) -> TimeInterval? {
        switch error {
        case .refused(let refusal) where refusal.code == .authorizationPending: interval
        case .refused(let refusal) where refusal.code == .slowDown: interval + 5
        case .unavailable: max(interval, min(interval * 2, 60))
        default: nil
        }
    }
}
