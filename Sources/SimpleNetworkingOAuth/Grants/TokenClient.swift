/// Gets tokens from an authorization server's token endpoint, with an HTTP client of its own.
///
/// It follows no redirect, keeps no cookie, and sends nothing twice: a code or a refresh token counts once. One attempt may
/// take 30 s, and an answer may have 1 MiB.
public struct TokenClient: Sendable {
    /// The server and the program.
    public let configuration: OAuthConfiguration
    private let http: SimpleNetworking

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: The server and the program.
    ///   - configure: Changes the settings of the HTTP client, such as its `transport`; redirects, automatic
    ///     retries and the logging of content stay off.
    public init(
        _ configuration: OAuthConfiguration,
        configure: (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        http = SimpleNetworking(baseURL: configuration.tokenEndpoint ?? URL(fileURLWithPath: "/")) { settings in
            settings.timeout = 30
            settings.deadline = 30
            settings.maxResponseSize = 1 << 20
            configure(&settings)
            settings.redirectPolicy = .never
            settings.retryPolicy = .never
            settings.acceptableStatuses = .successful
            // A server may repeat in its answer what it was sent.
            settings.logger.contentLimit = 0
        }
    }

    /// Gets a token.
    ///
    /// - Parameter grant: What to ask with.
    /// - Returns: The token, as the server gave it.
    /// - Throws: `OAuthError`, or `CancellationError` when the task was cancelled; the server may then have used the grant
    ///   up.
    public func token(for grant: Grant) async throws -> OAuthToken {
        let endpoint = try configuration.checked(configuration.tokenEndpoint, "token")
        let parameters = parameters(for: grant)
        let request = SimpleNetworking.post(endpoint.absoluteString)
        switch configuration.parameterPlacement {
        case .body: request.body(form: parameters)
        case .query: request.query(parameters)
        }
        if let basic = basicCredential { request.authenticate(withHeader: basic) }
        do {
            return try token(in: try await http.send(request), for: grant)
        } catch let error as SimpleNetworkingError {
            throw reason(of: error, for: grant)
        }
    }

    /// What is sent: OAuth's own parameters, then the configuration's others, sorted by name.
    private func parameters(for grant: Grant) -> Query {
        var pairs = [("grant_type", grant.type)] + grant.parameters.map { ($0.name, $0.value.reveal()) }
        if grant.sendsScope, let scope = configuration.scope { pairs.append(("scope", scope)) }
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
        let text = FormPairs.formEncode(configuration.clientID) + ":" + FormPairs.formEncode(secret.reveal())
        return "Basic " + Data(text.utf8).base64EncodedString()
    }

    /// Reads a successful answer, which for some servers may still be a refusal.
    private func token(in response: SimpleResponse, for grant: Grant) throws(OAuthError) -> OAuthToken {
        guard let answer = TokenAnswer(response.data) else { throw .invalidAnswer(status: response.httpStatus) }
        if let refusal = answer.refusal(httpStatus: response.httpStatus, hiding: secrets(of: grant)) {
            throw error(for: refusal)
        }
        return try answer.token(receivedAt: configuration.now(), hiding: secrets(of: grant))
    }

    private func reason(of error: SimpleNetworkingError, for grant: Grant) -> OAuthError {
        guard let response = error.response else { return .unavailable(error) }
        if response.httpStatus == 429 || response.httpStatus >= 500 { return .unavailable(error) }
        let answer = TokenAnswer(response.data)
        let refusal = answer?.refusal(httpStatus: response.httpStatus, hiding: secrets(of: grant))
        return refusal.map(self.error) ?? .invalidAnswer(status: response.httpStatus)
    }

    private func error(for refusal: OAuthRefusal) -> OAuthError {
        refusal.code == .accessDenied ? .denied(refusal) : .refused(refusal)
    }

    private func secrets(of grant: Grant) -> [Secret] {
        grant.parameters.filter { $0.name != "redirect_uri" }.map(\.value)
            + [configuration.clientSecret].compactMap(\.self)
    }
}
