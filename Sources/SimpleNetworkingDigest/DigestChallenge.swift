import SimpleNetworkingSupport

/// Holds a Digest challenge, and creates the response to it (RFC 7616); a pure value.
struct DigestChallenge: Sendable, Equatable {
    private enum Algorithm: String {
        case md5
        case sha256 = "sha-256"

        func digest(_ parts: String...) -> String {
            let bytes = parts.joined(separator: ":").utf8
            switch self {
            case .md5: return MD5.digest(bytes).hexadecimal
            case .sha256: return SHA256.digest(bytes).hexadecimal
            }
        }
    }

    /// Holds a user name and a password.
    struct User: Sendable {
        let name: String
        let password: Secret
    }

    private let realm: String
    let nonce: String
    private let opaque: String?
    private let algorithm: Algorithm
    /// The algorithm as the server spells it; nil if the server specifies no algorithm.
    private let algorithmName: String?
    /// Whether the password's digest includes the first nonce.
    private let isSession: Bool
    /// Whether the challenge specifies a quality of protection; false for a server that follows the older RFC 2069.
    private let hasQuality: Bool
    private let hidesUser: Bool
    /// Whether the signature was correct, and only its nonce was too old.
    let isStale: Bool

    /// Creates the strongest supported challenge; nil if the fields contain none.
    init?(_ headers: HTTPHeaders) {
        let known = AuthenticationChallenge.all(in: headers).compactMap { DigestChallenge($0) }
        let strongest = known.first { $0.algorithm == .sha256 } ?? known.first
        guard let strongest else { return nil }
        self = strongest
    }

    private init?(_ challenge: AuthenticationChallenge) {
        guard challenge.scheme == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"] else {
            return nil
        }
        let name = challenge["algorithm"]
        let parts = (name ?? "MD5").lowercased()
        let isSession = parts.hasSuffix("-sess")
        guard let algorithm = Algorithm(rawValue: isSession ? String(parts.dropLast(5)) : parts) else { return nil }
        let qualities = (challenge["qop"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        hasQuality = qualities.contains("auth")
        // Streamed content can't be digested for a response. Unknown values are ignored (§3.3): as with curl, a list
        // without any known value, such as an empty one, counts as absent.
        guard hasQuality || !qualities.contains("auth-int") else { return nil }
        self.realm = realm
        self.nonce = nonce
        opaque = challenge["opaque"]
        self.algorithm = algorithm
        algorithmName = name
        self.isSession = isSession
        hidesUser = challenge["userhash"]?.lowercased() == "true"
        isStale = challenge["stale"]?.lowercased() == "true"
    }

    /// Returns the value of the `Authorization` field.
    ///
    /// `target` is the request's path and query. `count` is the number of requests signed with the nonce, including
    /// this one. `clientNonce` must be unpredictable.
    func response(
        of user: User,
        to method: HTTPMethod,
        _ target: String,
        count: UInt32,
        clientNonce: String
    ) -> String {
        let number = count.hexadecimal
        var secret = algorithm.digest(user.name, realm, user.password.reveal())
        if isSession { secret = algorithm.digest(secret, nonce, clientNonce) }
        let request = algorithm.digest(method.rawValue, target)
        let response =
            hasQuality
            ? algorithm.digest(secret, nonce, number, clientNonce, "auth", request)
            : algorithm.digest(secret, nonce, request)
        var fields = [
            name(of: user), "realm=\(realm.asQuotedString)", "nonce=\(nonce.asQuotedString)",
            "uri=\(target.asQuotedString)",
        ]
        fields.append("response=\"\(response)\"")
        if let algorithmName { fields.append("algorithm=\(algorithmName)") }
        if let opaque { fields.append("opaque=\(opaque.asQuotedString)") }
        if hasQuality { fields.append("qop=auth, nc=\(number)") }
        if hasQuality || isSession { fields.append("cnonce=\(clientNonce.asQuotedString)") }
        if hidesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    private func name(of user: User) -> String {
        if hidesUser { return "username=\"\(algorithm.digest(user.name, realm))\"" }
        if user.name.utf8.allSatisfy({ $0 < 0x80 }) { return "username=\(user.name.asQuotedString)" }
        return "username*=UTF-8''" + PercentEncoding.encode(user.name, keeping: PercentEncoding.unreserved)
    }
}
