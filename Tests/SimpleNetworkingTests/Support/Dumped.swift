import Foundation

/// All ways to make a text of a value.
func texts(of value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    var texts = ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"]
    texts += Mirror(reflecting: value).children.map { "\($0)" }
    if let error = value as? any Error { texts += [error.localizedDescription, "\(error as NSError)"] }
    return texts
}

/// The texts of a value that show a secret: as it is, in base64, percent-encoded, or byte by byte.
func leaks(of secret: String, in value: Any) -> [String] {
    let bytes = Array(secret.utf8).map { "\($0)" }.joined(separator: "\\D+")
    let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
    // Three ways to stand in base64: the text may begin at any of three bytes. The ends depend on what is around it.
    let base64 = (0..<3).map { offset in
        let text = Data((String(repeating: " ", count: offset) + secret).utf8).base64EncodedString()
        return String(text.dropFirst(4).prefix(secret.utf8.count))
    }
    return texts(of: value).filter { text in
        text.contains(secret) || text.contains(encoded) || base64.contains { text.contains($0) }
            || text.range(of: bytes, options: .regularExpression) != nil
    }
}
