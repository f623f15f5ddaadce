import SimpleNetworkingSupport

/// A server's metadata (RFC 8414 §2).
///
/// A member that can't be read counts as missing.
struct ServerMetadata {
    let issuer: String
    let authorizationEndpoint: URL?
    let tokenEndpoint: URL?
    let revocationEndpoint: URL?
    let deviceAuthorizationEndpoint: URL?
    let pushedAuthorizationRequestEndpoint: URL?
    let authenticationMethods: [String]?
    /// Whether the server's redirects name the issuer (RFC 9207 §3).
    let sendsIssuer: Bool

    /// Reads a document; nil if it names no issuer, such as an HTML page.
    private init?(_ data: Data) {
        guard let members = JSONMembers(data), let issuer = members.string("issuer") else { return nil }
        self.issuer = issuer
        authorizationEndpoint = members.url("authorization_endpoint")
        tokenEndpoint = members.url("token_endpoint")
        revocationEndpoint = members.url("revocation_endpoint")
        deviceAuthorizationEndpoint = members.url("device_authorization_endpoint")
        pushedAuthorizationRequestEndpoint = members.url("pushed_authorization_request_endpoint")
        authenticationMethods = members.list("token_endpoint_auth_methods_supported")
        sendsIssuer = members.flag("authorization_response_iss_parameter_supported") ?? false
    }

    /// Reads the first document that exists.
    ///
    /// - Throws: `.invalidMetadata` if a document names another issuer or there is none, and `.unavailable` if there is
    ///   none because a location can't be reached at present.
    init(of issuer: URL, over http: SimpleNetworking) async throws {
        var failure: SimpleNetworkingError?
        let paths = Self.paths(of: issuer)
        for path in paths {
            try Task.checkCancellation()
            let metadata: ServerMetadata?
            do {
                metadata = try await Self.document(at: path, of: issuer, over: http)
            } catch let error as SimpleNetworkingError {
                if !error.isMissingDocument { failure = failure ?? error }
                continue
            }
            guard let metadata else { continue }
            guard metadata.issuer.utf8.elementsEqual(issuer.absoluteString.utf8) else {
                let name = metadata.issuer.quotable(hiding: [])
                throw OAuthError.invalidMetadata(reason: "it is of another issuer, “\(name)”")
            }
            self = metadata
            return
        }
        if let failure { throw OAuthError.unavailable(failure) }
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

    /// Returns the locations of RFC 8414 §3 and §5, and of OpenID Connect Discovery §4.
    private static func paths(of issuer: URL) -> [String] {
        var path = URLComponents(url: issuer, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        let (oauth, openID) = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
        if path.isEmpty { return [oauth, openID] }
        // No standard names the last one, but some servers use it.
        return [oauth + path, openID + path, path + openID, path + oauth]
    }

    private static func document(
        at path: String,
        of issuer: URL,
        over http: SimpleNetworking
    ) async throws -> ServerMetadata? {
        var components = URLComponents(url: issuer, resolvingAgainstBaseURL: true)
        components?.percentEncodedPath = path
        guard let url = components?.url else { return nil }
        let request = SimpleNetworking.get(url.absoluteString).acceptingOnlyJSON()
        return ServerMetadata(try await http.send(request).data)
    }
}

extension SimpleNetworkingError {
    /// Whether the server says that there is no document.
    fileprivate var isMissingDocument: Bool {
        httpStatus.map { (400..<500).contains($0) && $0 != 408 && $0 != 429 } ?? false
    }
}
