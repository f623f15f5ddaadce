extension HTTPURLResponse {
    /// Tells whether the content came compressed, so that its length on the wire says little.
    var isCompressed: Bool {
        guard let encoding = value(forHTTPHeaderField: "Content-Encoding") else { return false }
        return !encoding.isSameFieldName(as: "identity")
    }

    /// How many bytes of content will come over the wire, if there are any and that was said.
    func announcedBytes(for method: HTTPMethod) -> Int? {
        method != .head && expectedContentLength > 0 ? Int(clamping: expectedContentLength) : nil
    }

    /// How many bytes of content came over the wire, if that can be told; `count` of them, decompressed, came in all.
    func receivedBytes(ofContent count: Int, for method: HTTPMethod) -> Int? {
        if method == .head || !isCompressed { return count }
        return expectedContentLength >= 0 ? Int(clamping: expectedContentLength) : nil
    }
}

extension HTTPHeaders {
    /// Takes the fields of a response, by name.
    ///
    /// Foundation has joined repeated ones, and keeps no order. Cookies are taken apart again.
    init(_ response: HTTPURLResponse) {
        let pairs = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { Field($0, Self.text((value as? String) ?? "\(value)")) }
        }
        self.init(
            fields: pairs.sorted { $0.name < $1.name }.flatMap { field in
                guard field.name.isSameFieldName(as: "Set-Cookie") else { return [field] }
                return field.value.joinedCookies.map { Field(field.name, $0) }
            }
        )
    }

    #if canImport(Darwin)
        /// Reads a value again that Foundation has read as Latin-1, if its bytes are UTF-8.
        private static func text(_ value: String) -> String {
            guard value.utf8.contains(where: { $0 > 0x7F }), let bytes = value.data(using: .isoLatin1) else {
                return value
            }
            return String(data: bytes, encoding: .utf8) ?? value
        }
    #else
        private static func text(_ value: String) -> String { value }
    #endif
}
