extension OAuthConfiguration {
    /// Reads a server's endpoints from its metadata (RFC 8414, OpenID Connect Discovery 1.0).
    ///
    /// ```swift
    /// var server = try await OAuthConfiguration.discover(issuer, clientID: "notes", redirectURI: redirectURI)
    /// server.scopes = ["openid", "notes"]
    /// let session = OAuthSession(server)
    /// ```
    ///
    /// The metadata must name the same issuer. Sessions check redirects and ID tokens against that issuer. The metadata
    /// is not stored, so call this method each time the program starts.
    ///
    /// - Parameters:
    ///   - issuer: The server's issuer identifier, exactly as the server spells it, such as
    ///     `https://login.example.com`.
    ///   - clientID: The client ID that the server issued to the program.
    ///   - clientSecret: The program's secret. The default is nil.
    ///   - redirectURI: The URL that the browser is redirected to. The default is nil.
    ///   - configure: A closure that changes the settings of the HTTP client for this request, such as its `transport`.
    /// - Returns: The server's configuration; you can set its other properties.
    /// - Throws: `OAuthError.unavailable`, `.invalidMetadata`, `.configuration` for an insecure issuer, or
    ///   `CancellationError`.
    public static func discover(
        _ issuer: URL,
        clientID: String,
        clientSecret: Secret? = nil,
        redirectURI: URL? = nil,
        configure: @Sendable (inout SimpleNetworking.Configuration) -> Void = { _ in }
    ) async throws -> OAuthConfiguration {
        var configuration = OAuthConfiguration(
            clientID: clientID,
            clientSecret: clientSecret,
            redirectURI: redirectURI
        )
        _ = try configuration.checked(issuer, "issuer’s")
        let http = SimpleNetworking(baseURL: issuer) { settings in
            settings.timeout = 30
            settings.maxResponseSize = 1 << 20
            configure(&settings)
        }
        let metadata = try await ServerMetadata(of: issuer, over: http)
        try metadata.checkEndpoints(from: issuer, http.configuration.redirectPolicy)
        configuration.apply(metadata)
        return configuration
    }

    private mutating func apply(_ metadata: ServerMetadata) {
        issuer = metadata.issuer
        isIssuerRequired = metadata.sendsIssuer
        authorizationEndpoint = metadata.authorizationEndpoint
        tokenEndpoint = metadata.tokenEndpoint
        revocationEndpoint = metadata.revocationEndpoint
        deviceAuthorizationEndpoint = metadata.deviceAuthorizationEndpoint
        pushedAuthorizationRequestEndpoint = metadata.pushedAuthorizationRequestEndpoint
        if let methods = metadata.authenticationMethods, !methods.contains("client_secret_basic"),
            methods.contains("client_secret_post")
        {
            clientAuthentication = .parameters
        }
    }
}

/// A server's metadata (RFC 8414 §2).
private struct ServerMetadata: Decodable {
    let issuer: String
    let authorizationEndpoint: URL?
    let tokenEndpoint: URL?
    let revocationEndpoint: URL?
    let deviceAuthorizationEndpoint: URL?
    let pushedAuthorizationRequestEndpoint: URL?
    let authenticationMethods: [String]?
    private let isIssuerParameterSupported: Bool?

    /// Whether the server's redirects name the issuer (RFC 9207 §3).
    var sendsIssuer: Bool { isIssuerParameterSupported ?? false }

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
        case authenticationMethods = "token_endpoint_auth_methods_supported"
        case isIssuerParameterSupported = "authorization_response_iss_parameter_supported"
    }

    /// Reads the first existing document, at the URLs of RFC 8414 §3 and of OpenID Connect Discovery §4.
    init(of issuer: URL, over http: SimpleNetworking) async throws {
        var path = URLComponents(url: issuer, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        let (oauth, openID) = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
        // Some servers append the first one to their path, too.
        let paths = [oauth + path] + (path.isEmpty ? [] : [path + oauth]) + [path + openID]
        for path in paths {
            guard let metadata = try await Self.document(at: path, of: issuer, over: http) else { continue }
            guard metadata.issuer.utf8.elementsEqual(issuer.absoluteString.utf8) else {
                let name = metadata.issuer.quotable(hiding: [])
                throw OAuthError.invalidMetadata(reason: "it is of another issuer, “\(name)”")
            }
            self = metadata
            return
        }
        throw OAuthError.invalidMetadata(reason: "there is none at \(paths.joined(separator: " and "))")
    }

    /// Rejects endpoints to which a document of this issuer must not lead.
    func checkEndpoints(from issuer: URL, _ policy: RedirectPolicy) throws(OAuthError) {
        let endpoints = [
            authorizationEndpoint, tokenEndpoint, revocationEndpoint, deviceAuthorizationEndpoint,
            pushedAuthorizationRequestEndpoint,
        ]
        for case let endpoint? in endpoints {
            guard let reason = policy.refusal(of: endpoint, from: issuer) else { continue }
            let name = endpoint.absoluteString.quotable(hiding: [])
            throw .invalidMetadata(reason: "its endpoint “\(name)” cannot be used: \(reason)")
        }
    }

    private static func document(
        at path: String,
        of issuer: URL,
        over http: SimpleNetworking
    ) async throws -> ServerMetadata? {
        var components = URLComponents(url: issuer, resolvingAgainstBaseURL: true)
        components?.percentEncodedPath = path
        guard let url = components?.url else { return nil }
        do {
            let response = try await http.send(SimpleNetworking.get(url.absoluteString))
            // Many servers return an HTML page for a missing document.
            return try? JSONDecoder().decode(ServerMetadata.self, from: response.data)
        } catch let error as SimpleNetworkingError {
            guard let status = error.httpStatus, (400..<500).contains(status), status != 429 else {
                throw OAuthError.unavailable(error)
            }
            return nil
        }
    }
}
