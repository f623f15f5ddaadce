/// Finds secrets, in the pieces in which they may reappear.
extension Redaction {
    /// Returns the pieces of a secret field's value.
    ///
    /// They are the credential after its scheme, the values of cookies, and the password of Basic credentials.
    package static func secrets(ofField value: String) -> [String] {
        let start = value.drop { $0 == " " }
        let (scheme, credential) = start.parts(at: " ")
        if let credential, schemes.contains(scheme.lowercased()) {
            let basic = Data(base64Encoded: String(credential)).map { String(decoding: $0, as: UTF8.self) }
            let password = basic?.parts(at: ":").after ?? ""
            return [String(credential), String(password)]
        }
        // As in cookies; a token may end with “=”. The credential of an unknown scheme may reappear alone.
        let unknown = String(scheme).isToken ? credential.map { [String($0)] } ?? [] : []
        return [value] + unknown + value.pieces(between: ";").compactMap { $0.parts(at: "=").after.map(String.init) }
    }

    /// Returns the value of a secret field, whole and as separate words.
    package static func secrets(ofField name: String, _ value: String) -> [String] {
        // Only the value of a `Set-Cookie` field, not its attributes.
        let value = name.isSameFieldName(as: "Set-Cookie") ? value.parts(at: ";").before : value[...]
        let words = value.pieces(between: " ;,").map(String.init)
        let pieces = [String(value)] + secrets(ofField: String(value)) + words
        return pieces.filter { !schemes.contains($0.lowercased()) }
    }

    /// Returns the values of secret members in a form or JSON; none for other content.
    package static func secrets(ofContent content: Data, type: String?) -> [String] {
        if type.map({ MediaTypeParts($0) })?.isForm == true {
            return secrets(ofQuery: String(decoding: content, as: UTF8.self)[...])
        }
        return JSONValue(content).map { secrets(ofJSON: $0, isSecret: false) } ?? []
    }

    /// Returns the values of secret query items, decoded.
    package static func secrets(of url: URL) -> [String] {
        secrets(ofQuery: URLParts.split(url.absoluteString[...]).query ?? "")
    }

    package static func secrets(ofQuery pairs: Substring) -> [String] {
        pairs.pieces(between: "&").compactMap(secretValue(ofPair:)).map { value in
            let value = value.replacingAll("+", with: " ")
            return value.percentDecoded ?? value
        }
    }

    static func secrets(ofJSON json: JSONValue, isSecret: Bool) -> [String] {
        switch json {
        case .object(let object):
            object.flatMap { name, value in
                secrets(ofJSON: value, isSecret: isSecret || self.isSecret(member: name, beside: object.keys))
            }
        case .list(let values): values.flatMap { secrets(ofJSON: $0, isSecret: isSecret) }
        case .text(let text): isSecret ? [text] : []
        // A response may repeat it as it is written, or as the log writes it.
        case .number(let digits): isSecret ? [digits, JSONValue.shortest(digits)] : []
        case .flag, .null: []
        }
    }

    private static let schemes = ["basic", "bearer", "digest", "token", "negotiate", "path", "secure", "httponly"]
}
