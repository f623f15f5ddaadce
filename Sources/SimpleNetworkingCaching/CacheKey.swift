import SimpleNetworkingFeatureSupport

/// Identifies the requests that a stored response matches, by URL, account and certain header fields.
///
/// All values are digested, so that neither file names nor file contents reveal URLs or credentials.
struct CacheKey: Sendable {
    /// Identifies one stored response.
    struct Entry: Hashable, Sendable {
        let url: Digest
        let partition: Digest
        let variant: Digest

        var digests: [Digest] { [url, partition, variant] }
    }

    let url: Digest
    let partition: Digest
    private let headers: HTTPHeaders
    private let proofs: [String]
    private let salt: [UInt8]

    init(_ owner: RequestOwnerIdentity, salt: [UInt8]) {
        url = Self.digest(of: owner.head.url, salt: salt)
        partition = owner.digest(salt: salt)
        headers = owner.head.headers
        proofs = owner.proofs
        self.salt = salt
    }

    /// Returns the entry of a response to this request that varies with these fields (RFC 9111 §4.1).
    func entry(varyingWith names: [String]) -> Entry {
        let names = names.map { $0.lowercased() }.sorted()
        // A token can change while its account stays the same.
        let values = names.filter { name in !proofs.contains { $0.isSameFieldName(as: name) } }.map { name in
            let members = headers.values(for: name).joined(separator: ",").pieces(between: ",")
            let value = members.map(\.trimmed).joined(separator: ",")
            // Codings, charsets and languages are case-insensitive (RFC 9110 §8.3.2, §8.4.1, §8.5.1).
            return name.hasPrefix("accept-") ? value.lowercased() : value
        }
        return Entry(url: url, partition: partition, variant: Digest(names + values, salt: salt))
    }

    /// Digests a URL without its fragment and with its origin normalized.
    static func digest(of url: URL, salt: [UInt8]) -> Digest {
        let components = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true)
        let path = components?.percentEncodedPath ?? url.path
        let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
        let origin = Origin(url)?.description ?? ""
        return Digest([origin + (path.isEmpty ? "/" : path) + query], salt: salt)
    }
}
