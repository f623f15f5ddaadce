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
        var cookies: [String] = []
        for piece in pieces(around: ", ") {
            let (name, value) = piece.parts(at: "=")
            let beginsCookie = value != nil && String(name).isToken
            if !beginsCookie, let last = cookies.popLast() {
                cookies.append(last + ", " + piece)
            } else {
                cookies.append(String(piece))
            }
        }
        return cookies
    }
}
