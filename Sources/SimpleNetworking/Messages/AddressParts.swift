/// The parts of an absolute `http` or `https` address, as text and not yet encoded; the fragment is dropped.
struct AddressParts {
    /// Scheme and authority, such as `https://example.com:8080`.
    var origin: Substring
    var path: Substring
    var query: Substring?

    /// Takes an address apart, and refuses those that are not safe to send to.
    init(_ text: String) throws(SimpleNetworkingError) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8)
        else {
            throw .unusable(text, "it has no scheme, such as https://")
        }
        let scheme = text[..<colon]
        guard scheme.isSameFieldName(as: "https") || scheme.isSameFieldName(as: "http") else {
            throw .unsupportedScheme(scheme, in: text)
        }
        let authorityStart = text.utf8.index(colon, offsetBy: 3)
        let authorityEnd = text.utf8[authorityStart...].firstIndex(where: Self.endsAuthority) ?? text.endIndex
        let authority = text.utf8[authorityStart..<authorityEnd]
        if authority.contains(UInt8(ascii: "@")) {
            throw .unusable(text, "it holds user information; use authenticate(with:password:) instead")
        }
        guard let first = authority.first, first != UInt8(ascii: ":") else { throw .unusable(text, "it has no host") }
        origin = text[..<authorityEnd]
        (path, query) = Self.split(text[authorityEnd...])
        if text.utf8.contains(where: Self.isControl) { throw .unusable(text, "it holds a control character") }
    }

    /// Splits what follows the authority into path and query, and drops the fragment.
    static func split(_ text: Substring) -> (path: Substring, query: Substring?) {
        let bytes = text.utf8
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return (text, nil)
        }
        guard bytes[end] == UInt8(ascii: "?") else { return (text[..<end], nil) }
        let query = text[bytes.index(after: end)...]
        return (text[..<end], query.utf8.firstIndex(of: UInt8(ascii: "#")).map { query[..<$0] } ?? query)
    }

    /// Makes the address: encodes what is not encoded yet, and adds pairs to the query.
    func url(adding pairs: Query = Query()) throws(SimpleNetworkingError) -> URL {
        var text = String(origin)
        PercentEncoding.append(path, to: &text, keeping: PercentEncoding.path, keepsTriplets: true)
        if query != nil || !pairs.isEmpty { text += "?" }
        if let query, !query.isEmpty {
            PercentEncoding.append(query, to: &text, keeping: PercentEncoding.query, keepsTriplets: true)
            if !pairs.isEmpty { text += "&" }
        }
        if !pairs.isEmpty { text += pairs.encoded }
        guard let url = URL(string: text) else { throw .unusable(text, "it is not a valid address") }
        return url
    }

    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

extension SimpleNetworkingError {
    static func unsupportedScheme(_ scheme: Substring, in text: String) -> SimpleNetworkingError {
        .unusable(text, "its scheme “\(scheme)” is not supported, only http and https are")
    }

    /// An address that cannot be used; its text is kept without secrets.
    static func unusable(_ text: String, _ reason: String) -> SimpleNetworkingError {
        .invalidURL(Redaction.text(ofURL: text), reason: reason)
    }
}
