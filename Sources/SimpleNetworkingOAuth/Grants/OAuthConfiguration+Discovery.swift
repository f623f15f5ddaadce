import SimpleNetworkingSupport

extension OAuthConfiguration {
    /// Reads a server's endpoints from its metadata (RFC 8414, OpenID Connect Discovery 1.0).
    ///
    /// ```swift
    /// var server = try await OAuthConfiguration.discover(issuer, clientID: "notes", redirectURI: redirectURI)
    /// server.scopes = ["openid", "notes"]
    /// let session = OAuthSession(server)
    /// ```
    ///
    /// The client tries the locations of both standards in turn, until one of them has a document. The metadata must name
    /// the same issuer. Sessions check redirects and ID tokens against that issuer. A member of the metadata that can't be
    /// read counts as missing. The metadata is not stored, so call this method each time the program starts.
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
