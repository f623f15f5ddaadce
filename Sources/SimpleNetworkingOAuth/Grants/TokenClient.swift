/// Requests tokens from an authorization server's token endpoint, with its own HTTP client.
///
/// It doesn't follow redirects or keep cookies. Nor does it retry, since a code or a refresh token is valid once, unless a
/// server that is overloaded or in maintenance says when to come back. All that may take 30 s, and a response may have
/// 1 MiB.
package struct TokenClient: Sendable {
    /// The server and the program.
    package let configuration: OAuthConfiguration
    private let http: SimpleNetworking
    /// What runs tasks in a simulation; nil without one.
    let scheduler: Scheduler?

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - configure: Changes the settings of the HTTP client, such as its `transport`; redirects, other retries and
    ///     logging of content stay off.
    package init(
        _ configuration: OAuthConfiguration,
        configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        var scheduler: Scheduler?
        http = SimpleNetworking(baseURL: configuration.tokenEndpoint ?? URL(fileURLWithPath: "/")) { settings in
            settings.timeout = 30
            settings.deadline = 30
            settings.maxResponseSize = 1 << 20
            configure(&settings)
            settings.redirectPolicy = .never
            settings.retryPolicy = .whenInvited
            settings.acceptableStatuses = .successful
            // A response may repeat the secrets of the request.
            settings.logger.contentLimit = 0
            scheduler = settings.scheduler
        }
        self.scheduler = scheduler
    }

    /// Requests a token.
    ///
    /// - Parameter grant: The grant to request it with.
    /// - Returns: The token, as the server sent it.
    /// - Throws: `OAuthError`, or `CancellationError` if the task is cancelled; the grant may then be used up.
    package func token(for grant: Grant) async throws -> OAuthToken {
        let endpoint = try configuration.checked(configuration.tokenEndpoint, "token")
        let parameters = parameters(for: grant)
        let request = SimpleNetworking.post(endpoint.absoluteString)
        switch configuration.parameterPlacement {
        case .body: request.body(form: parameters)
        case .query: request.query(parameters)
        }
        if let basic = basicCredential { request.authenticate(withHeader: basic) }
        for secret in secrets(of: grant) { http.hide(secret) }
        do {
            return try token(in: try await http.send(request), for: grant)
        } catch let error as SimpleNetworkingError {
            throw reason(of: error, for: grant)
        }
    }

    /// OAuth's own parameters, then the configuration's, sorted by name.
    private func parameters(for grant: Grant) -> Query {
        var pairs = [("grant_type", grant.type)] + grant.parameters.map { ($0.name, $0.value.reveal()) }
        let hasScope = pairs.contains { $0.0 == "scope" }
        if grant.sendsScope, !hasScope, let scope = configuration.scope { pairs.append(("scope", scope)) }
        if basicCredential == nil {
            pairs.append(("client_id", configuration.clientID))
            if let secret = configuration.clientSecret { pairs.append(("client_secret", secret.reveal())) }
        }
        let names = Set(pairs.map(\.0))
        let others = configuration.tokenParameters.filter { !names.contains($0.key) }
        return Query(pairs + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private var basicCredential: String? {
        guard case .basic = configuration.clientAuthentication, let secret = configuration.clientSecret else {
            return nil
        }
        let text =
            FormURLEncoding.formEncode(configuration.clientID) + ":" + FormURLEncoding.formEncode(secret.reveal())
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    /// Reads a successful response, with which some servers still refuse.
    private func token(in response: SimpleResponse, for grant: Grant) throws(OAuthError) -> OAuthToken {
        guard let content = TokenResponse(response.data) else { throw .invalidResponse(status: response.httpStatus) }
        if let refusal = content.refusal(httpStatus: response.httpStatus, hiding: secrets(of: grant)) {
            throw error(for: refusal)
        }
        return try content.token(
            receivedAt: configuration.now(),
            isExchanged: grant.isExchange,
            hiding: secrets(of: grant)
        )
    }

    private func reason(of error: SimpleNetworkingError, for grant: Grant) -> OAuthError {
        guard let response = error.response else { return .unavailable(error) }
        if response.httpStatus == 429 || response.httpStatus >= 500 { return .unavailable(error) }
        let content = TokenResponse(response.data)
        let refusal = content?.refusal(httpStatus: response.httpStatus, hiding: secrets(of: grant))
        return refusal.map(self.error) ?? .invalidResponse(status: response.httpStatus)
    }

    private func error(for refusal: OAuthRefusal) -> OAuthError {
        refusal.code == .accessDenied ? .denied(refusal) : .refused(refusal)
    }

    private func secrets(of grant: Grant) -> [Secret] {
        grant.parameters.filter { $0.name != "redirect_uri" }.map(\.value)
            + [configuration.clientSecret, basicCredential.map { Secret(String($0.dropFirst("Basic ".count))) }]
            .compactMap(\.self)
    }
}

extension RetryPolicy {
    /// Retries what a server has put off: a 429 or a 503 with `Retry-After`, which was not handled (RFC 9110 §15.6.4).
    fileprivate static var whenInvited: RetryPolicy {
        var policy = RetryPolicy(attempts: 3)
        policy.statuses = [429, 503]
        policy.repeatsAnyMethod = true
        policy.requiresRetryAfter = true
        return policy
    }
}
