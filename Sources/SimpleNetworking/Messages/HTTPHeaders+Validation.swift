extension RequestHead {
    /// Checks that the request line and the header fields can be sent without meaning something else.
    ///
    /// A line break or a NUL in any of them would let whoever wrote the value add fields or requests of their own.
    ///
    /// - Throws: `SimpleNetworkingError.invalidRequest` or `.invalidURL`, which says what is wrong.
    func validate() throws {
        guard method.rawValue.isToken else {
            throw SimpleNetworkingError.invalidRequest(reason: "its method is not a valid one", nil)
        }
        if let reason = headers.defect { throw SimpleNetworkingError.invalidRequest(reason: reason, self) }
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw SimpleNetworkingError.invalidURL(url.absoluteString, reason: "its scheme is neither http nor https")
        }
        guard let host = url.host, !host.isEmpty else {
            throw SimpleNetworkingError.invalidURL(url.absoluteString, reason: "it names no host")
        }
    }
}

extension HTTPHeaders {
    /// What keeps the fields from being sent, as the end of a sentence; nil if nothing does.
    var defect: String? {
        for field in fields {
            guard field.name.isToken else {
                let name = String(field.name.unicodeScalars.map { $0.value < 0x20 ? "�" : Character($0) })
                return "“\(name)” is not a valid name of a header field"
            }
            guard !field.value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
                return "the value of the header field “\(field.name)” holds a line break or a NUL"
            }
        }
        return nil
    }
}

extension String {
    /// Tells whether this is a token: what methods and field names are made of (RFC 9110 §5.6.2).
    var isToken: Bool { !isEmpty && utf8.allSatisfy { isTokenByte($0) } }
}

private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
