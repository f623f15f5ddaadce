// Handles the changes that Foundation makes to a response's header fields.

extension String {
    /// The text as UTF-8, if Foundation read UTF-8 bytes as Latin-1.
    package var decodedLatin1: String {
        #if canImport(Darwin)
            guard utf8.contains(where: { $0 > 0x7F }), let bytes = data(using: .isoLatin1) else { return self }
            return String(data: bytes, encoding: .utf8) ?? self
        #else
            return self
        #endif
    }

    /// The `Set-Cookie` fields that Foundation has joined.
    ///
    /// It joins them with a comma and a space, which are followed by a name and `=`; this sequence never occurs in a
    /// date. A value that contains the sequence can't be distinguished from two fields.
    package var joinedCookies: [String] {
        let comma = #", (?=[!#$%&'*+.^_`|~0-9A-Za-z-]+=)"#
        // No value contains a line break.
        return replacingOccurrences(of: comma, with: "\n", options: .regularExpression).components(separatedBy: "\n")
    }
}
