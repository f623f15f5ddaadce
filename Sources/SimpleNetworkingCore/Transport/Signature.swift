import SimpleNetworkingSupport

/// Identifies the account for which an authenticator authorized a request.
struct Signature: Sendable {
    /// A stable account ID, which doesn't change with the token.
    let account: String
    /// The header fields that authorize the request.
    let fields: [HTTPHeaders.Field]

    /// Returns the names of the fields that are still as the authenticator set them.
    ///
    /// Changed fields prove nothing.
    func proofs(in headers: HTTPHeaders) -> [String] {
        fields.filter { headers.values(for: $0.name) == [$0.value] }.map(\.name)
    }
}
