/// The address that a client's paths are joined to.
struct BaseAddress: Sendable {
    let url: URL
    /// The address without a slash at its end, if it has no query: all that a plain path needs.
    private let prefix: String?

    init(_ url: URL) {
        self.url = url
        let bare = try? AddressParts(url.absoluteString).url()
        prefix = bare.flatMap { bare in
            guard bare.query == nil else { return nil }
            var text = bare.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            return text
        }
    }

    /// Gives the address of a path; see `URLJoining`, whose work is spared where there is nothing to encode or refuse.
    func joined(with path: String, _ query: Query) throws(SimpleNetworkingError) -> URL {
        if let prefix, query.isEmpty, Self.isPlain(path), let url = URL(string: prefix + path) { return url }
        return try URLJoining.url(base: url, path: path, query: query)
    }

    /// Tells whether the path begins with a slash and holds nothing that needs a second look: no `.` or `/` behind a
    /// slash, no byte to be encoded.
    private static func isPlain(_ path: String) -> Bool {
        var isBehindSlash = false
        for byte in path.utf8 {
            guard plain.contains(byte) else { return false }
            let isSlash = byte == UInt8(ascii: "/")
            if isBehindSlash, isSlash || byte == UInt8(ascii: ".") { return false }
            isBehindSlash = isSlash
        }
        return path.utf8.first == UInt8(ascii: "/")
    }

    private static let plain = ByteSet.lettersAndDigits.union(ByteSet("-._~/"))
}
