/// Reads the address with which an authorization server sends the browser back (RFC 6749 §4.1.2 and §4.2.2).
///
/// Parameters that it does not know are ignored, as §4.1.2 demands.
struct Redirect {
    private let query: FormPairs
    private let fragment: FormPairs

    /// Refuses an address other than the one waited for, and parameters that come twice (§3.1).
    init(_ url: URL, to redirectURI: URL) throws(OAuthError) {
        guard Self.address(of: url) == Self.address(of: redirectURI) else {
            throw .invalidRedirect(reason: "it goes to another address")
        }
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        query = FormPairs(components?.percentEncodedQuery)
        fragment = FormPairs(components?.percentEncodedFragment)
        for name in ["code", "state", "iss", "error", "access_token"]
        where query.count(of: name) + fragment.count(of: name) > 1 {
            throw .invalidRedirect(reason: "it says “\(name)” more than once")
        }
    }

    /// Tells whether this is the state that was sent, in constant time; without one, all is well.
    func carries(_ state: Secret?) -> Bool {
        guard let state else { return true }
        return Secret(self["state"] ?? "") == state
    }

    /// Whether this is an error without a state: §4.1.2.1 demands one, and some servers forget it.
    var isErrorWithoutState: Bool { self["error"] != nil && self["state"] == nil }

    /// Refuses a redirect of another server (RFC 9207 §2.4), an error too; nil is any server.
    func check(issuer: String?) throws(OAuthError) {
        if let issuer, self["iss"] != issuer { throw .issuerMismatch }
    }

    private subscript(name: String) -> String? { query[name] ?? fragment[name] }

    /// The code of the query.
    func code() throws(OAuthError) -> Secret {
        try check()
        guard let code = query["code"] else { throw .missingCode }
        return Secret(code)
    }

    /// The token of the fragment; one in the query, which servers get to see, is none.
    func token(receivedAt: Date) throws(OAuthError) -> OAuthToken {
        try check()
        let names = ["access_token", "token_type", "expires_in", "scope"]
        return try TokenAnswer(fragment, names: names).token(receivedAt: receivedAt)
    }

    private func check() throws(OAuthError) {
        let names = ["error", "error_description", "error_uri"]
        for pairs in [query, fragment] {
            guard let refusal = TokenAnswer(pairs, names: names).refusal(httpStatus: nil, hiding: []) else { continue }
            throw refusal.code == .accessDenied ? .denied(refusal) : .refused(refusal)
        }
    }

    /// What two addresses of the same handler have in common, all but query and fragment.
    static func address(of url: URL) -> [String] {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? ""
        return [
            components?.scheme?.lowercased() ?? "", components?.host?.lowercased() ?? "",
            components?.port.map(String.init) ?? "", components?.user ?? "", path.isEmpty ? "/" : path,
        ]
    }
}
