/// Renewal for clients whose credential is a header field: what a handler for 401 calls.
extension SimpleNetworking {
    /// Has the credential renewed, once for however many requests are refused, and then sends the request again.
    ///
    /// ```swift
    /// request.on(httpStatus: 401) { request, _ in
    ///     self.reauthenticate(request) { done in
    ///         self.get("/auth") {
    ///             $0.on(success: { self.token = $0.json?["token"] as? String; done() }).on(error: { done($0) })
    ///         }
    ///     }
    ///     return false
    /// }
    /// ```
    ///
    /// A request that was sent before the last renewal is sent again at once; all others wait for the renewal that runs,
    /// or begin it. If the renewal fails, all that wait end with `.authentication`, and a later request may try again. A
    /// request that is refused though it carries what the renewal brought ends with the server's answer, and so does a
    /// request that the renewal itself makes. Whoever waits may be cancelled on its own.
    ///
    /// - Parameters:
    ///   - request: The request that a status handler has in hand; return false there.
    ///   - renew: Begins the renewal, at once and where this is called, unless one runs; calls what it gets when it has
    ///     ended. It has `Configuration.renewalTimeout` seconds.
    public func reauthenticate(_ request: SimpleRequest, _ renew: (RenewalCompletion) -> Void) {
        guard let refused = request.refused, !refused.isRenewal, refused.stamp != refused.renewedStamp else {
            return request.endWithLastAnswer()
        }
        let configuration = configuration
        let step = flight.recover(
            from: refused.stamp,
            clock: configuration.clock,
            limit: configuration.renewalTimeout,
            waiter: { request.goOn(after: $0) },
            renew: renew
        )
        request.core.log.record(.renewal(step))
    }

    /// Has the credential renewed by an async function; see the method that takes a completion.
    ///
    /// - Parameters:
    ///   - request: The request that a status handler has in hand; return false there.
    ///   - renew: Renews the credential; what it throws ends all that wait.
    public func reauthenticate(_ request: SimpleRequest, renewing renew: @escaping @Sendable () async throws -> Void) {
        reauthenticate(request) { done in
            Task {
                do {
                    try await renew()
                    done()
                } catch {
                    done(error)
                }
            }
        }
    }

    /// Forgets the credentials among the client's header fields, and ends every request that waits to be sent again:
    /// none is ever sent in the name of whoever signs in next.
    ///
    /// Those end with `.authentication` and `RenewalFailure.signedOut`. Requests whose answer is on its way still get it.
    /// An authenticator is signed out on its own.
    public func signOut() {
        state.withLock { state in
            let secretNames = Array(state.configuration.secretHeaders)
            _ = state.configuration.defaultHeaders.removeCredentials(alsoNamed: secretNames)
            state.user = nil
        }
        flight.leaveAccount()
    }
}
