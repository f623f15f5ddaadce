/// Says what a stored answer must be the answer to: an address, asked by one account, with certain header fields.
///
/// All of it is kept as digests, so that neither names of files nor what is in them tell addresses or credentials.
struct CacheKey: Sendable {
    /// Names one stored answer.
    struct Entry: Hashable, Sendable {
        let address: Digest
        let partition: Digest
        let variant: Digest
    }

    /// Who asks.
    struct Identity: Sendable {
        /// The account that an authenticator names; nil if none does.
        var account: String?
        /// Names of the fields that prove this account; they may change with each renewal.
        var proofs: [String] = []
        /// Which fields make no difference to whose response it is.
        var sharing = FieldSharing()
        /// Cookies that an engine adds by itself.
        var cookies: [String] = []
    }

    let address: Digest
    let partition: Digest
    private let headers: HTTPHeaders
    private let proofs: [String]
    private let salt: [UInt8]

    init(_ head: RequestHead, identity: Identity, salt: [UInt8]) {
        address = Self.address(of: head.url, salt: salt)
        headers = head.headers
        proofs = identity.proofs
        self.salt = salt
        let credentials = head.headers.fields.filter { field in
            !identity.sharing.isShared(field) && !identity.proofs.contains { $0.isSameFieldName(as: field.name) }
        }
        var parts = [identity.account.map { "account " + $0 } ?? "", head.url.user ?? "", head.url.password ?? ""]
        parts += credentials.map { $0.name.lowercased() + ":" + $0.value }.sorted()
        parts += identity.cookies.map { "cookie " + $0 }.sorted()
        partition = Digest(parts, salt: salt)
    }

    /// The entry that an answer to this request becomes if it varies with these fields (RFC 9111 §4.1).
    func entry(varyingWith names: [String]) -> Entry {
        let names = names.map { $0.lowercased() }.sorted()
        // What proves a named account varies with each renewal, while the account stays the same.
        let values = names.filter { name in !proofs.contains { $0.isSameFieldName(as: name) } }.map { name in
            headers.values(for: name).joined(separator: ",").split(separator: ",").map(\.trimmed)
                .joined(separator: ",")
        }
        return Entry(address: address, partition: partition, variant: Digest(names + values, salt: salt))
    }

    /// The address without its fragment and with the origin's usual spelling.
    static func address(of url: URL, salt: [UInt8]) -> Digest {
        let components = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? url.path
        let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
        let origin = Origin(url)?.description ?? ""
        return Digest([origin + (path.isEmpty ? "/" : path) + query], salt: salt)
    }
}
