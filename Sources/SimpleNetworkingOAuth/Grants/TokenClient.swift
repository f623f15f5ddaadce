import SimpleNetworkingSupport

/// Sends requests to an authorization server's endpoints, with its own HTTP client.
///
/// It doesn't follow redirects or keep cookies. Because a code or a refresh token is valid only once, the client
/// retries a request only if an overloaded or unavailable server says when to try again. A request may take 30 s
/// including retries, and a response may be up to 1 MiB.
package struct TokenClient: Sendable {
    /// The server and the program.
    package let configuration: OAuthConfiguration
    private let http: SimpleNetworking
    private let clock: any RequestClock
    /// Runs tasks in a simulation; nil without one.
    let scheduler: Scheduler?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - configure: Changes the settings of the HTTP client, such as its `transport`. Redirects, other retries and
    ///     logging of content stay off.
    package init(
        _ configuration: OAuthConfiguration,
        configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        http = SimpleNetworking(baseURL: configuration.tokenEndpoint ?? URL(fileURLWithPath: "/")) { settings in
            settings.timeout = 30
            settings.deadline = 30
            settings.maxResponseSize = 1 << 20
            // All of them know the program by its secret.
            let endpoints = [
                configuration.revocationEndpoint, configuration.deviceAuthorizationEndpoint,
                configuration.pushedAuthorizationRequestEndpoint,
            ]
            settings.trustedOrigins.formUnion(endpoints.compactMap { $0.flatMap { Origin($0.absoluteString) } })
            configure(&settings)
            settings.redirectPolicy = .never
            settings.retryPolicy = .whenInvited
            settings.acceptableStatuses = .successful
            // A response may repeat the secrets of the request.
            settings.logger.contentLimit = 0
        }
        let settings = http.configuration
        scheduler = settings.scheduler
        clock = settings.clock
    }

    /// Requests a token.
    ///
    /// - Parameters:
    ///   - grant: The grant to request the token with.
    ///   - former: The token to refresh, whose user must stay the same. The default is nil.
    /// - Returns: The token, as the server sent it.
    /// - Throws: `OAuthError`, or `CancellationError` if the task is cancelled; the grant may then be used up.
    package func token(for grant: Grant, refreshing former: OAuthToken? = nil) async throws -> OAuthToken {
        let endpoint = try configuration.checked(configuration.tokenEndpoint, "token")
        let secrets = secrets + grant.parameters.filter { $0.name != "redirect_uri" }.map(\.value)
        let response = try await post(parameters(for: grant), to: endpoint, hiding: secrets)
        guard let content = TokenResponse(response.data) else {
            throw OAuthError.invalidResponse(status: response.httpStatus)
        }
        if !content.hasToken, let refusal = refusal(in: response, hiding: secrets) { throw refusal }
        var token = try content.token(
            receivedAt: configuration.now(),
            isExchanged: grant.isExchange,
            hiding: secrets
        )
        try token.checkUser(after: former)
        do {
            if configuration.isOpenID { try token.checkIDToken(from: grant, after: former, against: configuration) }
        } catch {
            // The refresh token that came with it may be the only valid one: what was checked before stays.
            guard grant.isRefresh else { throw error }
            token.extra["id_token"] = nil
        }
        return token
    }

    /// Revokes a token's refresh token and access token (RFC 7009).
    func revoke(_ token: OAuthToken) async throws {
        if let refreshToken = token.refreshToken { try await revoke(refreshToken, hint: "refresh_token") }
        do {
            try await revoke(token.accessToken, hint: "access_token")
        } catch OAuthError.refused where token.refreshToken != nil {
            // Many servers can't revoke access tokens, which expire soon.
        }
    }

    private func revoke(_ token: Secret, hint: String) async throws {
        let endpoint = try configuration.checked(configuration.revocationEndpoint, "revocation")
        let pairs = [("token", token.reveal()), ("token_type_hint", hint)]
        _ = try await post(pairs, to: endpoint, hiding: secrets + [token])
    }

    /// Requests the codes with which a device signs in (RFC 8628 §3.1).
    func deviceCodes() async throws -> DeviceCodes {
        let endpoint = try configuration.checked(configuration.deviceAuthorizationEndpoint, "device authorization")
        let pairs = [("client_id", configuration.clientID)] + (configuration.scope.map { [("scope", $0)] } ?? [])
        let response = try await post(pairs, to: endpoint, hiding: secrets)
        guard let codes = DeviceCodes(response.data) else { throw invalid(response, hiding: secrets) }
        let policy = RedirectPolicy(allowsDowngrade: configuration.allowsPlainHTTP)
        for case let page? in [codes.prompt.verificationURI, codes.prompt.completeURI] {
            guard ["http", "https"].contains(page.scheme?.lowercased()) else {
                throw OAuthError.invalidMetadata(reason: "the page for the user’s code is no web page")
            }
            guard let reason = policy.refusal(of: page, from: endpoint) else { continue }
            throw OAuthError.invalidMetadata(reason: "the page for the user’s code cannot be shown: \(reason)")
        }
        return codes
    }

    /// Pushes the parameters of an authorization request (RFC 9126), and returns the URI that refers to them.
    func push(_ parameters: [String: String]) async throws -> String {
        let endpoint = try configuration.checked(
            configuration.pushedAuthorizationRequestEndpoint,
            "pushed authorization request"
        )
        let secrets = secrets + ["state", "nonce"].compactMap { parameters[$0].map { Secret($0) } }
        let pairs = parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let response = try await post(pairs, to: endpoint, hiding: secrets)
        guard let reference = JSONMembers(response.data)?.string("request_uri") else {
            throw invalid(response, hiding: secrets)
        }
        return reference
    }

    /// Waits, using the clock of the HTTP client.
    func sleep(_ seconds: TimeInterval) async throws { try await clock.sleep(seconds, for: .other) }

    /// The current time of the HTTP client's clock.
    var uptime: TimeInterval { clock.now }

    /// Sends parameters as the registered program, and returns the response unless it is a refusal.
    private func post(
        _ pairs: [(String, String)],
        to endpoint: URL,
        hiding secrets: [Secret]
    ) async throws -> SimpleResponse {
        var pairs = pairs
        if basicCredential == nil {
            if !pairs.contains(where: { $0.0 == "client_id" }) { pairs.append(("client_id", configuration.clientID)) }
            if let secret = configuration.clientSecret { pairs.append(("client_secret", secret.reveal())) }
        }
        let request = SimpleNetworking.post(endpoint.absoluteString).acceptingOnlyJSON()
        switch configuration.parameterPlacement {
        case .body: request.body(form: Query(pairs))
        case .query: request.query(Query(pairs))
        }
        if let basic = basicCredential { request.authenticate(withHeader: basic) }
        for secret in secrets { http.hide(secret) }
        do {
            let response = try await http.send(request)
            // Some servers send a refusal with a success status.
            if TokenResponse(response.data)?.isError == true, let refusal = refusal(in: response, hiding: secrets) {
                throw refusal
            }
            return response
        } catch let error as SimpleNetworkingError {
            guard let response = error.response, !response.isTransientFailure else {
                throw OAuthError.unavailable(error)
            }
            throw invalid(response, hiding: secrets)
        }
    }

    /// Returns OAuth's own parameters, then the configuration's, sorted by name.
    private func parameters(for grant: Grant) -> [(String, String)] {
        var pairs = [("grant_type", grant.type)] + grant.parameters.map { ($0.name, $0.value.reveal()) }
        let hasScope = pairs.contains { $0.0 == "scope" }
        if grant.sendsScope, !hasScope, let scope = configuration.scope { pairs.append(("scope", scope)) }
        let names = Set(pairs.map(\.0) + (basicCredential == nil ? ["client_id", "client_secret"] : []))
        let others = configuration.tokenParameters.filter { !names.contains($0.key) }
        return pairs + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var basicCredential: String? {
        guard case .basic = configuration.clientAuthentication, let secret = configuration.clientSecret else {
            return nil
        }
        let text =
            FormURLEncoding.formEncode(configuration.clientID) + ":" + FormURLEncoding.formEncode(secret.reveal())
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    /// Returns the error for a response that isn't the expected document.
    private func invalid(_ response: SimpleResponse, hiding secrets: [Secret]) -> OAuthError {
        refusal(in: response, hiding: secrets) ?? .invalidResponse(status: response.httpStatus)
    }

    /// Returns the refusal that a response describes in any form; nil if it describes none.
    private func refusal(in response: SimpleResponse, hiding secrets: [Secret]) -> OAuthError? {
        // A redirect's content is not the server's word on the grant.
        if (300..<400).contains(response.httpStatus) { return nil }
        return ErrorDocument(response).map { document in
            .refusal(
                document.refusal(
                    httpStatus: response.httpStatus,
                    endingSessionFor: configuration.sessionEndingCodes,
                    hiding: secrets
                )
            )
        }
    }

    /// The program's own secrets, which each request contains.
    private var secrets: [Secret] {
        [configuration.clientSecret, basicCredential.map { Secret(String($0.dropFirst("Basic ".count))) }]
            .compactMap(\.self)
    }
}

extension SimpleResponse {
    /// Whether the server may accept the same request later: 408, 425, 429, 5xx, and a 403 that says when.
    fileprivate var isTransientFailure: Bool {
        [408, 425, 429].contains(httpStatus) || httpStatus >= 500
            || httpStatus == 403 && headers["Retry-After"] != nil
    }
}

extension RetryPolicy {
    /// Retries a 429 or a 503 with `Retry-After`, which was not processed (RFC 9110 §15.6.4).
    fileprivate static var whenInvited: RetryPolicy {
        var policy = RetryPolicy(attempts: 3)
        policy.statuses = [429, 503]
        policy.repeatsAnyMethod = true
        policy.requiresRetryAfter = true
        return policy
    }
}
