extension HTTPURLResponse {
    /// Whether the content was compressed, so that its length says little about the bytes transferred.
    var isCompressed: Bool {
        guard let encoding = value(forHTTPHeaderField: "Content-Encoding") else { return false }
        return !encoding.isSameFieldName(as: "identity")
    }

    /// The bytes of content to be transferred; nil if there are none or the server did not say.
    func announcedBytes(for method: HTTPMethod) -> Int? {
        method != .head && expectedContentLength > 0 ? Int(clamping: expectedContentLength) : nil
    }

    /// The bytes of content transferred, given its decompressed size; nil if unknown.
    func receivedBytes(ofContent count: Int, for method: HTTPMethod) -> Int? {
        if method == .head || !isCompressed { return count }
        return expectedContentLength >= 0 ? Int(clamping: expectedContentLength) : nil
    }
}

extension HTTPHeaders {
    /// Takes the fields of a response, sorted by name.
    ///
    /// Foundation has joined repeated fields and lost their order; cookies are split again.
    init(_ response: HTTPURLResponse) {
        let pairs = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, ((value as? String) ?? "\(value)").decodedLatin1) }
        }
        self.init(
            fields: pairs.sorted { $0.name < $1.name }.flatMap { field in
                guard field.name.isSameFieldName(as: "Set-Cookie") else { return [field] }
                return field.value.joinedCookies.map { Field(field.name, $0) }
            }
        )
    }
}

extension String {
    /// The text as UTF-8, if Foundation has read UTF-8 bytes as Latin-1.
    fileprivate var decodedLatin1: String {
        #if canImport(Darwin)
            guard utf8.contains(where: { $0 > 0x7F }), let bytes = data(using: .isoLatin1) else { return self }
            return String(data: bytes, encoding: .utf8) ?? self
        #else
            return self
        #endif
    }

    /// The `Set-Cookie` fields that Foundation has joined.
    ///
    /// It joins them by a comma and a space; a name and `=` follow, as they never do in a date. A value that contains
    /// all of these can't be told from two fields.
    fileprivate var joinedCookies: [String] {
        let comma = #", (?=[!#$%&'*+.^_`|~0-9A-Za-z-]+=)"#
        // No value contains a line break.
        return replacingOccurrences(of: comma, with: "\n", options: .regularExpression).components(separatedBy: "\n")
    }
}
