import SimpleNetworkingSupport

/// Describes the redirect that a sign-in waits for: its URL, its state and its server.
struct ExpectedRedirect: Sendable {
    let redirectURI: URL
    let state: Secret?
    let issuer: String?
    /// Whether a redirect without an issuer is rejected.
    var isIssuerRequired = true

    /// Returns whether a redirect carries the state that was sent.
    func recognizes(_ redirect: URL) -> Bool {
        (try? Redirect(redirect, to: redirectURI))?.carries(state) ?? false
    }

    /// Returns whether a redirect is an error without a state, which any sign-in with this URI may have caused.
    func mayBeRefused(by redirect: URL) -> Bool {
        (try? Redirect(redirect, to: redirectURI))?.isErrorWithoutState ?? false
    }

    /// Reads a redirect.
    ///
    /// - Throws: `.invalidRedirect` or `.stateMismatch` for a redirect of another sign-in.
    func read(_ redirect: URL) throws(OAuthError) -> Redirect {
        let response = try Redirect(redirect, to: redirectURI)
        guard response.carries(state) || response.isErrorWithoutState else { throw .stateMismatch }
        return response
    }

    /// Rejects a redirect from another server (RFC 9207 §2.4), even with an error; a nil issuer accepts any server.
    func checkIssuer(of redirect: Redirect) throws(OAuthError) {
        guard let issuer else { return }
        guard let named = redirect.issuer else {
            // Some servers leave it out of errors, which give nothing away.
            if isIssuerRequired, !redirect.isError { throw .issuerMismatch }
            return
        }
        // Compared byte by byte, because other characters may look the same.
        guard named.utf8.elementsEqual(issuer.utf8) else { throw .issuerMismatch }
    }
}

/// Reads the URL that an authorization server redirects the browser to (RFC 6749 §4.1.2 and §4.2.2).
///
/// Unknown parameters are ignored, as §4.1.2 requires.
struct Redirect {
    private let query: FormURLEncoding
    private let fragment: FormURLEncoding

    /// Rejects URLs other than the redirect URI, and repeated parameters (§3.1).
    init(_ url: URL, to redirectURI: URL) throws(OAuthError) {
        guard Self.target(of: url) == Self.target(of: redirectURI) else {
            throw .invalidRedirect(reason: "its URL is not the redirect URI")
        }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        query = FormURLEncoding(components?.percentEncodedQuery)
        fragment = FormURLEncoding(components?.percentEncodedFragment)
        for name in ["code", "state", "iss", "error", "access_token"]
        where query.count(of: name) + fragment.count(of: name) > 1 {
            throw .invalidRedirect(reason: "“\(name)” is repeated")
        }
    }

    /// Compares the state with the one that was sent, in constant time; if none was sent, any state matches.
    func carries(_ state: Secret?) -> Bool {
        guard let state else { return true }
        return Secret(self["state"] ?? "") == state
    }

    /// Whether it holds an error, and neither a code nor a token.
    var isError: Bool { self["error"] != nil && self["code"] == nil && self["access_token"] == nil }

    /// Whether this is an error without a state: §4.1.2.1 requires a state, but some servers omit it.
    var isErrorWithoutState: Bool { self["error"] != nil && self["state"] == nil }

    /// The server that the redirect claims to come from.
    var issuer: String? { self["iss"] }

    private subscript(name: String) -> String? { query[name] ?? fragment[name] }

    /// Returns the code in the query.
    func code() throws(OAuthError) -> Secret {
        try check()
        guard let code = query["code"] else { throw .missingCode }
        return Secret(code)
    }

    /// Returns the token in the fragment; a token in the query, which servers see, is ignored.
    func token(receivedAt: Date) throws(OAuthError) -> OAuthToken {
        try check()
        let parameters = fragment.members(named: ["access_token", "token_type", "expires_in", "scope"])
        return try TokenResponse(parameters).token(receivedAt: receivedAt)
    }

    private func check() throws(OAuthError) {
        let names = ["error", "error_description", "error_uri"]
        let secrets = ["code", "state", "access_token"].compactMap { self[$0].map { Secret($0) } }
        for pairs in [query, fragment] {
            guard pairs["error"] != nil, let document = ErrorDocument(pairs.members(named: names)) else { continue }
            throw .refusal(document.refusal(httpStatus: nil, hiding: secrets))
        }
    }

    /// Returns the parts of a URL that all redirects to it share: everything but the query and the fragment.
    private static func target(of url: URL) -> [String] {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        let scheme = components?.scheme?.lowercased() ?? ""
        // An empty host counts as a host (RFC 3986 §3), although systems differ in whether they report it.
        let hasHost = url.absoluteString.dropFirst(scheme.count).hasPrefix("://")
        return [
            scheme, hasHost ? "//" : "", components?.host?.lowercased() ?? "",
            components?.port.map(String.init) ?? "", components?.user ?? "", path.isEmpty ? "/" : path,
        ]
    }
}
