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
