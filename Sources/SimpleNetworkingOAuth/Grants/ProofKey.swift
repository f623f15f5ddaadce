/// Proves that whoever redeems a code is whoever asked for it: PKCE with S256 (RFC 7636).
struct ProofKey: Sendable {
    /// Sent with the code.
    let verifier: Secret

    /// Makes a key of 32 random bytes.
    init() { verifier = Secret(Base64URL.random()) }

    init(verifier: Secret) { self.verifier = verifier }

    /// Sent when a code is asked for.
    var challenge: String {
        var hash = SHA256()
        hash.update(verifier.reveal().utf8)
        return Base64URL.encode(hash.finish())
    }
}
