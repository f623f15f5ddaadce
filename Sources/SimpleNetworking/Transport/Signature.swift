/// Tells in whose name an authenticator has signed a request.
struct Signature: Sendable {
    /// The account, by a name that stays the same when the credential is renewed.
    let account: String
    /// The header fields that prove it.
    let fields: [HTTPHeaders.Field]

    /// The names of the fields that are still as the authenticator has set them: all that has been changed or taken off
    /// since then proves nothing.
    func proofs(in headers: HTTPHeaders) -> [String] {
        fields.filter { headers.values(for: $0.name) == [$0.value] }.map(\.name)
    }
}
